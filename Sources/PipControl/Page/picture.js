// The boxes of the layers over the picture, to select, drag, resize and swap layers.

import { $, h, keyed, attribute, refresh, text } from './dom.js';
import { state, later, attempt, settled } from './api.js';
import { even, half, clamp, pixels, columnOf, rowOf, snapped } from './geometry.js';

let selected = null;
let drag = null;
let lastTap = { id: null, when: 0, x: 0, y: 0 };
// Requested rectangles that are not yet in the state, keyed by layer.
const wanted = new Map();

export const layerOf = (id) => state?.layers.find((layer) => layer.id === id);
/** True for a layer that cannot be moved, because the layer fills the canvas or its source's size is unknown. */
export const isFull = (layer) => {
  const rect = rectOf(layer);
  return !rect || (rect.width >= state.canvas.width && rect.height >= state.canvas.height);
};

/** The layer that keys and the inspector change: the selected layer, else the first inset, else the main layer. */
export function selection() {
  return layerOf(selected) ?? state?.layers.find((layer) => !layer.main) ?? state?.layers[0];
}

export function pick(id) {
  if (selected === id) return;
  selected = id;
  refresh();
}

const rectOf = (layer) => wanted.get(layer.id)?.rect ?? layer.rect;

/** The box that a layer's placement describes; a picture that is fitted into the box may be smaller. */
function boxOf(layer) {
  const rect = layer.rect;
  const width = pixels(layer.width, state.canvas.width);
  const height = pixels(layer.height, state.canvas.height);
  if (layer.fit !== 'fit' || !width || !height) return { ...rect };
  return { x: rect.x - half(width - rect.width), y: rect.y - half(height - rect.height), width, height };
}

const scale = () => state.canvas.width / ($('overlay').clientWidth || 1);

/** Shows a layer at its requested place until the state contains the change, for at most 1.5 seconds. */
function want(layer, box, at) {
  const was = boxOf(layer);
  const ratio = box.width / was.width;
  const rect = {
    x: box.x + (layer.rect.x - was.x) * ratio, y: box.y + (layer.rect.y - was.y) * ratio,
    width: layer.rect.width * ratio, height: layer.rect.height * ratio,
  };
  wanted.set(layer.id, { rect, box, at, until: performance.now() + 1500 });
}

/** Forgets requested rectangles that are in the state or have timed out. */
function settle() {
  for (const [id, { rect, until }] of wanted) {
    // In the first 300 ms after a change, the state may be older than the change.
    if (drag?.id === id || performance.now() < until - 1200) continue;
    const now = layerOf(id)?.rect;
    const isThere = now && ['x', 'y', 'width', 'height'].every((side) => Math.abs(now[side] - rect[side]) <= 2);
    if (isThere || performance.now() > until) wanted.delete(id);
  }
}

const sendLayer = (id, body) =>
  later(`layer ${id} ${Object.keys(body).join()}`, 'PATCH', `layers/${encodeURIComponent(id)}`, body);

// Pointer.

function begin(event, layer, isResize) {
  if (event.button > 0 || drag) return;
  pick(layer.id);
  const box = wanted.get(layer.id)?.box ?? boxOf(layer);
  drag = {
    id: layer.id, pointer: event.pointerId, isResize, startX: event.clientX, startY: event.clientY, box,
    isMoved: false, isFixed: !isResize && isFull(layer), target: event.currentTarget,
    aspect: box.width / box.height, at: layer.at, margin: layer.margin ?? 0,
  };
  if (!drag.isFixed) event.currentTarget.setPointerCapture(event.pointerId);
}

function move(event) {
  if (!drag || event.pointerId !== drag.pointer) return;
  const layer = layerOf(drag.id);
  if (!layer) return;
  const dx = event.clientX - drag.startX;
  const dy = event.clientY - drag.startY;
  if (!drag.isMoved && Math.hypot(dx, dy) < 4) return;
  drag.isMoved = true;
  if (drag.isFixed) return;
  event.preventDefault();
  const factor = scale();
  if (drag.isResize) resizeBy(layer, dx * factor, dy * factor);
  else moveBy(layer, dx * factor, dy * factor, event.altKey ? 0 : Math.max(16 * factor, 8));
  draw();
}

function moveBy(layer, dx, dy, reach) {
  const { canvas } = state;
  const { box } = drag;
  const x = clamp(box.x + dx, Math.min(canvas.width - box.width, 0), Math.max(canvas.width - box.width, 0));
  const y = clamp(box.y + dy, Math.min(canvas.height - box.height, 0), Math.max(canvas.height - box.height, 0));
  // A reach of zero, with the Alt key, switches snapping off.
  const place = reach ? snapped(x, y, box, canvas, drag.margin, reach) : { x: even(x), y: even(y), at: `${even(x)}:${even(y)}` };
  drag.place = place;
  want(layer, { ...box, x: place.x, y: place.y }, place.at);
  drag.body = { at: place.at };
  sendLayer(layer.id, drag.body);
}

/** The width and height of a layer for a width in per cent of the canvas; the aspect ratio stays. */
export function sized(layer, share) {
  const percent = `${share}%`;
  if (layer.height === null || layer.height === undefined) return { width: percent };
  if (layer.width === null || layer.width === undefined) return { width: percent, height: null };
  const ratio = (state.canvas.width * share) / 100 / boxOf(layer).width;
  const height = pixels(layer.height, state.canvas.height) * ratio;
  return { width: percent, height: `${Math.min(Math.round((height / state.canvas.height) * 1000) / 10, 100)}%` };
}

function resizeBy(layer, dx, dy) {
  const column = columnOf(drag.at);
  const row = rowOf(drag.at);
  const across = [1, 2, -1][column] * dx;
  const down = [1, 2, -1][row] * dy;
  const width = Math.max(drag.box.width + across, (drag.box.height + down) * drag.aspect);
  resize(layer, clamp(Math.round((width / state.canvas.width) * 100), 4, 100), drag.box, drag.aspect);
  drag.body = sized(layer, drag.share);
}

function resize(layer, share, box, aspect) {
  const width = Math.round((state.canvas.width * share) / 200) * 2;
  const height = Math.round(width / aspect / 2) * 2;
  const x = box.x + [0, half(box.width - width), box.width - width][columnOf(layer.at)];
  const y = box.y + [0, half(box.height - height), box.height - height][rowOf(layer.at)];
  if (drag) drag.share = share;
  want(layer, { x, y, width, height }, layer.at);
  sendLayer(layer.id, sized(layer, share));
}

function end(event) {
  if (!drag || event.pointerId !== drag.pointer) return;
  const ended = drag;
  drag = null;
  const entry = wanted.get(ended.id);
  if (entry) entry.until = performance.now() + 1500;
  if (ended.isMoved && ended.body) {
    sendLayer(ended.id, ended.body);
    setTimeout(refresh, 1600);
  } else if (!ended.isMoved && !ended.isResize && event.type === 'pointerup') tap(ended.id, event);
  refresh();
}

function tap(id, event) {
  // The time of the tap itself: a busy page may handle the event later.
  const now = event.timeStamp;
  const isDouble = lastTap.id === id && now - lastTap.when < 400
    && Math.hypot(event.clientX - lastTap.x, event.clientY - lastTap.y) < 24;
  lastTap = { id: isDouble ? null : id, when: now, x: event.clientX, y: event.clientY };
  if (isDouble) swap(id);
}

/** Exchanges the main layer with an inset: the given or selected layer, or else the first inset. */
export async function swap(id = selection()?.id) {
  const main = state?.layers.find((layer) => layer.main);
  const inset = state?.layers.find((layer) => layer.id === id && !layer.main) ?? state?.layers.find((layer) => !layer.main);
  if (!main || !inset) return;
  wanted.clear();
  await settled();
  attempt('POST', 'swap', { a: main.id, b: inset.id, duration: '300ms' });
}

// Keys.

export function nudge(dx, dy) {
  const layer = selection();
  if (!layer || isFull(layer)) return false;
  const box = wanted.get(layer.id)?.box ?? boxOf(layer);
  const { canvas } = state;
  const x = clamp(box.x + dx, Math.min(canvas.width - box.width, 0), Math.max(canvas.width - box.width, 0));
  const y = clamp(box.y + dy, Math.min(canvas.height - box.height, 0), Math.max(canvas.height - box.height, 0));
  want(layer, { ...box, x, y }, `${x}:${y}`);
  sendLayer(layer.id, { at: `${x}:${y}` });
  setTimeout(refresh, 1600);
  draw();
  return true;
}

export function grow(by) {
  const layer = selection();
  if (!layer || isFull(layer)) return;
  const box = wanted.get(layer.id)?.box ?? boxOf(layer);
  resize(layer, clamp(Math.round((box.width / state.canvas.width) * 100) + by, 4, 100), box, box.width / box.height);
  setTimeout(refresh, 1600);
  draw();
}

// Drawing.

const handle = h('div.handle', { 'data-action': 'resize', 'aria-hidden': 'true' });
const guides = h('div.guides', { hidden: true });
const listen = (node, layer, isResize) => {
  node.addEventListener('pointerdown', (event) => {
    const found = layer();
    if (!found) return;
    event.stopPropagation();
    begin(event, found, isResize);
  });
  for (const name of ['pointerup', 'pointercancel']) node.addEventListener(name, end);
  node.addEventListener('pointermove', move);
};

export function setUp() {
  $('overlay').append(guides, handle);
  for (const kind of ['column', 'row']) {
    for (const index of [0, 1, 2]) guides.append(h(`div.guide.${kind}`, { 'data-guide': `${kind}${index}` }));
  }
  listen(handle, selection, true);
}

function makeBox({ id }) {
  const node = h('div.layer', { tabindex: 0, role: 'group', 'data-layer': id, 'aria-roledescription': 'layer' },
    h('span.name', {}, id));
  listen(node, () => layerOf(id), false);
  node.addEventListener('focus', () => pick(id));
  return node;
}

function place(node, rect) {
  const { width, height } = state.canvas;
  node.style.left = `${(rect.x / width) * 100}%`;
  node.style.top = `${(rect.y / height) * 100}%`;
  node.style.width = `${(rect.width / width) * 100}%`;
  node.style.height = `${(rect.height / height) * 100}%`;
}

export function draw() {
  if (!state) return;
  settle();
  const { canvas } = state;
  const stage = $('stage');
  stage.style.setProperty('--aspect', canvas.width / canvas.height);
  const current = selection();
  // A layer has no rectangle while the size of its source is unknown.
  const shown = state.layers.filter((layer) => layer.visible && rectOf(layer));
  keyed($('overlay'), shown, (layer) => layer.id, makeBox, (node, layer) => {
    const rect = rectOf(layer);
    place(node, rect);
    node.style.zIndex = 10 + [...shown].sort((a, b) => a.z - b.z).indexOf(layer);
    node.style.borderRadius = `${(layer.radius || 0) / scale()}px`;
    node.classList.toggle('picked', layer === current);
    node.classList.toggle('full', isFull(layer));
    node.classList.toggle('dragged', drag?.id === layer.id && drag.isMoved && !drag.isFixed);
    const share = Math.round((rect.width / canvas.width) * 100);
    attribute(node, 'aria-label', `${layer.id}, ${layer.main ? 'main' : 'inset'}, ${layer.at}, ${share} % wide`
      + (layer === current ? ', selected' : ''));
    text(node.firstElementChild, drag?.id === layer.id && drag.isResize && drag.isMoved ? `${layer.id} · ${share} %` : layer.id);
  });
  const canResize = shown.includes(current) && !isFull(current);
  handle.hidden = !canResize;
  if (canResize) {
    const rect = rectOf(current);
    const right = columnOf(current.at) < 2;
    const bottom = rowOf(current.at) < 2;
    handle.style.left = `${((rect.x + (right ? rect.width : 0)) / canvas.width) * 100}%`;
    handle.style.top = `${((rect.y + (bottom ? rect.height : 0)) / canvas.height) * 100}%`;
    handle.classList.toggle('slanted', right !== bottom);
  }
  drawGuides(current);
}

function drawGuides(layer) {
  const isShown = Boolean(drag?.isMoved && !drag.isFixed && !drag.isResize && layer);
  guides.hidden = !isShown;
  if (!isShown) return;
  const { canvas } = state;
  const lines = (length) => [drag.margin, length / 2, length - drag.margin];
  lines(canvas.width).forEach((x, index) => {
    const line = guides.querySelector(`[data-guide=column${index}]`);
    line.style.left = `${(x / canvas.width) * 100}%`;
    line.classList.toggle('met', Boolean(drag.place?.columns?.includes(index)));
  });
  lines(canvas.height).forEach((y, index) => {
    const line = guides.querySelector(`[data-guide=row${index}]`);
    line.style.top = `${(y / canvas.height) * 100}%`;
    line.classList.toggle('met', Boolean(drag.place?.rows?.includes(index)));
  });
}
