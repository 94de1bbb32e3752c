// Places and sizes of layers, in canvas pixels.

export const anchorNames = [
  'top-left', 'top', 'top-right', 'left', 'center', 'right', 'bottom-left', 'bottom', 'bottom-right',
];

/** The column of an anchor, from 0 for the left column. */
export const columnOf = (at) => Math.max(anchorNames.indexOf(at), 0) % 3;
/** The row of an anchor, from 0 for the top row. */
export const rowOf = (at) => Math.floor(Math.max(anchorNames.indexOf(at), 0) / 3);

export const even = (value) => Math.floor(value / 2) * 2;
export const half = (room) => even(room / 2);
export const clamp = (value, low, high) => Math.min(Math.max(value, low), high);

/** A length in pixels, from a number of pixels or a percentage of `whole`; null for no length. */
export function pixels(length, whole) {
  if (typeof length === 'number') return length;
  const share = /^([\d.]+)%$/.exec(length ?? '');
  if (share) return Math.max(2, Math.round((whole * Number(share[1])) / 200) * 2);
  return Number(length) || null;
}

/** The place of a dragged box: an anchor if both edges are within reach, else snapped to each edge within reach. */
export function snapped(x, y, box, canvas, margin, reach) {
  const room = { x: canvas.width - box.width, y: canvas.height - box.height };
  const places = (length) => (length === 0 ? [0, 0, 0] : [margin, half(length), length - margin]);
  const columns = places(room.x);
  const rows = places(room.y);
  let best = null;
  anchorNames.forEach((name, index) => {
    const column = index % 3;
    const row = Math.floor(index / 3);
    const distance = Math.max(Math.abs(columns[column] - x), Math.abs(rows[row] - y));
    if (distance <= reach && distance < (best?.distance ?? Infinity)) best = { name, column, row, distance };
  });
  if (best) {
    return { x: columns[best.column], y: rows[best.row], at: best.name, columns: [best.column], rows: [best.row] };
  }
  const near = (value, choices, length) => {
    const index = choices.findIndex((choice) => Math.abs(choice - value) <= reach);
    if (index >= 0) return { value: choices[index], lines: [index] };
    if (Math.abs(value) <= reach) return { value: 0, lines: [] };
    if (Math.abs(value - length) <= reach) return { value: length, lines: [] };
    return { value: even(value), lines: [] };
  };
  const column = near(x, columns, room.x);
  const row = near(y, rows, room.y);
  return { x: column.value, y: row.value, at: `${column.value}:${row.value}`, columns: column.lines, rows: row.lines };
}
