// Small curves of past values, one sample a second, which the page keeps in memory.

const rings = new Map();

/** Adds a sample to the named curve, which keeps the latest `length` samples. */
export function sample(name, value, length) {
  let ring = rings.get(name);
  if (!ring) rings.set(name, (ring = []));
  ring.push(value);
  while (ring.length > length) ring.shift();
}

export const last = (name) => rings.get(name)?.at(-1);
export const series = (name) => rings.get(name) ?? [];
export function forget(keep) {
  for (const name of rings.keys()) if (!keep(name)) rings.delete(name);
}

function ready(canvas) {
  const factor = window.devicePixelRatio || 1;
  const { clientWidth: width, clientHeight: height } = canvas;
  if (!width || !height) return null;
  const columns = Math.round(width * factor);
  const rows = Math.round(height * factor);
  if (canvas.width !== columns || canvas.height !== rows) Object.assign(canvas, { width: columns, height: rows });
  const pen = canvas.getContext('2d');
  pen.setTransform(factor, 0, 0, factor, 0, 0);
  pen.clearRect(0, 0, width, height);
  const style = getComputedStyle(canvas);
  // The style sheet sets the colours of the line, the bars and the grid.
  return { pen, width, height, line: style.color, bars: style.borderTopColor, grid: style.borderBottomColor };
}

function stroke(pen, points) {
  pen.beginPath();
  let isDown = false;
  for (const [x, y] of points) {
    if (y === null) isDown = false;
    else {
      if (isDown) pen.lineTo(x, y);
      else pen.moveTo(x, y);
      isDown = true;
    }
  }
  pen.stroke();
}

/** Draws a line on a scale from `bottom` to `top`, and bars from the lower edge; the newest sample is at the right. */
export function plot(canvas, { line, bars = [], top, bottom = 0, length, marks = [] }) {
  const area = ready(canvas);
  if (!area) return;
  const { pen, width, height } = area;
  const x = (index, count) => width - ((count - 1 - index) / (length - 1)) * width;
  const y = (value) => height - 2 - ((value - bottom) / Math.max(top - bottom, 1e-6)) * (height - 4);
  pen.lineWidth = 1;
  pen.strokeStyle = area.grid;
  for (const mark of marks) {
    const level = Math.round(y(mark)) + 0.5;
    stroke(pen, [[0, level], [width, level]]);
  }
  pen.fillStyle = area.bars;
  const most = Math.max(1, ...bars);
  bars.forEach((value, index) => {
    if (value <= 0) return;
    const high = Math.max(3, (value / most) * height * 0.6);
    pen.fillRect(x(index, bars.length) - 2, height - high, Math.max(width / length - 0.5, 2), high);
  });
  pen.lineWidth = 1.75;
  pen.lineJoin = 'round';
  pen.strokeStyle = area.line;
  stroke(pen, line.map((value, index) => [
    x(index, line.length), value === null ? null : Math.min(Math.max(y(value), 1), height - 1),
  ]));
}
