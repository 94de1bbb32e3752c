// The inspector of the selected layer.

import { $, h, keyed, slider, toggle, menu, color, iconButton, setIcon, attribute } from './dom.js';
import { state, later, attempt } from './api.js';
import { anchorNames } from './geometry.js';
import { selection, pick, sized } from './picture.js';

const change = (body) => {
  const layer = selection();
  if (!layer) return;
  const key = Object.keys(body).join();
  later(`layer ${layer.id} ${key}`, 'PATCH', `layers/${encodeURIComponent(layer.id)}`, body);
};

const borderOf = (layer) => {
  const [width, tint] = String(layer?.border ?? '').split(':');
  return { width: Number(width) || 0, color: tint || '#ffffff' };
};

let parts = null;

function build() {
  const hook = (name) => ({ 'data-look': name });
  parts = {
    list: h('div.chips', { role: 'group', 'aria-label': 'Selected layer' }),
    visible: iconButton('eye', 'Hide', { 'data-action': 'visible', onclick: () => change({ visible: !selection().visible }) }),
    up: iconButton('up', 'One up', { 'data-action': 'layer-up', onclick: () => reorder(1) }),
    down: iconButton('down', 'One down', { 'data-action': 'layer-down', onclick: () => reorder(-1) }),
    at: menu({
      label: 'Place', hooks: hook('at'), put: (at) => change({ at }),
      options: anchorNames.map((name) => [name, name.replace('-', ' ')]),
    }),
    width: slider({ label: 'Width', unit: '%', minimum: 4, maximum: 100, step: 1, hooks: hook('width'), put: (share) => change(sized(selection(), share)) }),
    margin: slider({ label: 'Margin', unit: 'px', minimum: 0, maximum: 100, whole: true, hooks: hook('margin'), put: (margin) => change({ margin }) }),
    opacity: slider({ label: 'Opacity', unit: '%', minimum: 0, maximum: 100, step: 1, hooks: hook('opacity'), put: (share) => change({ opacity: share / 100 }), initial: 100 }),
    radius: slider({ label: 'Radius', unit: 'px', minimum: 0, maximum: 200, step: 1, hooks: hook('radius'), put: (radius) => change({ radius }), initial: 0 }),
    border: slider({
      label: 'Border', unit: 'px', minimum: 0, maximum: 40, step: 1, hooks: hook('border'), initial: 0,
      put: (width) => change({ border: width ? `${width}:${borderOf(selection()).color}` : null }),
    }),
    tint: color({ label: 'Colour', hooks: hook('border-color'), put: (tint) => change({ border: `${borderOf(selection()).width || 2}:${tint}` }) }),
    shadow: slider({ label: 'Shadow', unit: 'px', minimum: 0, maximum: 60, step: 1, hooks: hook('shadow'), put: (shadow) => change({ shadow: shadow || null }), initial: 0 }),
    rotate: menu({
      label: 'Rotate', isCompact: true, hooks: hook('rotate'), put: (turn) => change({ rotate: Number(turn) }),
      options: [0, 90, 180, 270].map((turn) => [String(turn), `${turn}°`]),
    }),
    fit: menu({
      label: 'Fit', isCompact: true, hooks: hook('fit'), put: (fit) => change({ fit }),
      options: [['fill', 'fill'], ['fit', 'fit'], ['stretch', 'stretch']],
    }),
    mirror: toggle({ label: 'Mirror', hooks: hook('mirror'), put: (mirror) => change({ mirror }) }),
  };
  $('panel-layers').replaceChildren(
    h('div.row', {}, h('h2', { id: 'layersTitle' }, 'Layers'), parts.list, parts.visible, parts.down, parts.up),
    h('div.looks', {},
      h('div.pair', {}, parts.at.node, parts.fit.node),
      parts.width.node, parts.margin.node, parts.opacity.node, parts.radius.node, parts.shadow.node, parts.border.node,
      h('div.pair', {}, parts.tint.node, parts.rotate.node, parts.mirror.node)));
}

/** Exchanges the selected layer with its neighbour in the drawing order. */
function reorder(by) {
  const layer = selection();
  const order = [...state.layers].sort((a, b) => a.z - b.z);
  const other = order[order.indexOf(layer) + by];
  if (!other) return;
  const z = other.z === layer.z ? layer.z + by : other.z;
  attempt('PATCH', 'scene', { layers: { [layer.id]: { z }, [other.id]: { z: layer.z } } });
}

export function draw() {
  if (!parts) build();
  const layer = selection();
  $('panel-layers').classList.toggle('none', !layer);
  keyed(parts.list, state.layers, (each) => each.id,
    (each) => h('button.chip', { type: 'button', 'data-pick': each.id, onclick: () => pick(each.id) }, each.id),
    (node, each) => {
      attribute(node, 'aria-pressed', each === layer);
      node.classList.toggle('away', !each.visible);
    });
  if (!layer) return;
  setIcon(parts.visible.firstElementChild, layer.visible ? 'eye' : 'hidden');
  const label = layer.visible ? `Hide ${layer.id}` : `Show ${layer.id}`;
  attribute(parts.visible, 'aria-label', label);
  attribute(parts.visible, 'title', label);
  attribute(parts.visible, 'aria-pressed', !layer.visible);
  const order = [...state.layers].sort((a, b) => a.z - b.z);
  parts.down.disabled = order[0] === layer;
  parts.up.disabled = order.at(-1) === layer;
  const isAnchored = anchorNames.includes(layer.at);
  const places = anchorNames.map((name) => [name, name.replace('-', ' ')]);
  parts.at.show(layer.at, isAnchored ? places : [[layer.at, layer.at.replace(':', ', ')], ...places]);
  parts.width.show(Math.round((layer.rect.width / state.canvas.width) * 100));
  parts.margin.show(layer.margin ?? 0, !isAnchored);
  parts.opacity.show(Math.round(layer.opacity * 100));
  parts.radius.show(layer.radius ?? 0);
  const border = borderOf(layer);
  parts.border.show(border.width);
  parts.tint.show(border.color);
  parts.shadow.show(layer.shadow ?? 0);
  parts.rotate.show(layer.rotate ?? 0);
  parts.fit.show(layer.fit);
  parts.mirror.show(Boolean(layer.mirror));
}
