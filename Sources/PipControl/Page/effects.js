// The effect chain of each target, and the library of effects to add.

import { $, h, keyed, slider, toggle, menu, line, color, iconButton, icon, setIcon, show, text, words, attribute, announce, refresh } from './dom.js';
import { state, later, attempt, request } from './api.js';

let target = null;
let library = null;      // The effects, keyed by name; null until loaded.
let isLoading = false;
const closed = new Set();

const chainPath = () => `chains/${encodeURIComponent(target)}`;
const effectPath = (id) => `${chainPath()}/effects/${encodeURIComponent(id)}`;
const chain = () => state.chains?.[target] ?? [];

async function load() {
  if (library || isLoading) return;
  isLoading = true;
  try {
    const { effects } = await request('GET', 'effects');
    library = new Map(effects.map((effect) => [effect.name, effect]));
    fillLibrary();
  } catch {
    setTimeout(refresh, 3000);
  }
  isLoading = false;
  refresh();
}

/** Forgets the library when a connection begins, because another version of the server may have other effects. */
export const forgetLibrary = () => { library = null; };

const canAdd = (effect) => !effect.parameters.some((parameter) => parameter.required && parameter.kind === 'file');

function fillLibrary() {
  $('effectList').replaceChildren(...[...library.values()].filter(canAdd).map((effect) =>
    h('button.effect', {
      type: 'button', 'data-add': effect.name, title: effect.summary,
      onclick: () => add(effect.name),
    }, effect.thumbnail
      ? h('img', { src: effect.thumbnail.replace(/^\//, ''), alt: '', loading: 'lazy', decoding: 'async', width: 160, height: 90 })
      : h('span.blank', {}, icon('effects')), h('span', {}, words(effect.name)))));
  filter();
}

function filter() {
  const parts = $('effectSearch').value.toLowerCase().split(/\s+/).filter(Boolean);
  let count = 0;
  for (const node of $('effectList').children) {
    const isShown = parts.every((part) => `${node.dataset.add} ${words(node.dataset.add)} ${node.title}`.toLowerCase().includes(part));
    node.hidden = !isShown;
    count += isShown ? 1 : 0;
  }
  text($('effectCount'), `${count} effect${count === 1 ? '' : 's'}`);
  show($('effectNone'), count === 0);
}

async function add(effect) {
  const added = await attempt('POST', `${chainPath()}/effects`, { effect });
  if (added) announce(`${words(effect)} added to ${target}`);
}

const order = (ids) => attempt('PUT', chainPath(), ids.map((id) => {
  const { effect } = chain().find((element) => element.id === id);
  return { id, effect };
}));

function shift(id, by) {
  const ids = chain().map((element) => element.id);
  const index = ids.indexOf(id);
  if (index + by < 0 || index + by >= ids.length) return;
  ids.splice(index + by, 0, ...ids.splice(index, 1));
  order(ids);
  announce(`moved to place ${index + by + 1} of ${ids.length}`);
}

// Lists are shown in the syntax of the command line, and sent as JSON arrays.
const shown = (value) => Array.isArray(value)
  ? value.map((each) => (Array.isArray(each) ? each.join('/') : each)).join(' ') : String(value ?? '');

function read(sentence, parameter) {
  const parts = sentence.trim().split(/[\s|]+/).filter(Boolean);
  if (parameter.kind === 'numbers') return parts.map(Number);
  if (parameter.kind === 'points' || parameter.kind === 'places') return parts.map((part) => part.split('/').map(Number));
  return sentence;
}

function makeParameter(id, parameter) {
  const { name, kind, summary, unit } = parameter;
  const label = words(name);
  const hooks = { 'data-parameter': name };
  const put = (value) => later(`effect ${target} ${id} ${name}`, 'PATCH', effectPath(id), { values: { [name]: value } });
  if (kind === 'number' || kind === 'integer') {
    return slider({
      label, hint: summary, unit, hooks, put, minimum: parameter.minimum, maximum: parameter.maximum,
      whole: kind === 'integer', initial: parameter.default,
    });
  }
  if (kind === 'flag') {
    const part = toggle({ label, hint: summary, hooks, put });
    return { ...part, show: (value) => part.show(value === true || value === 'on') };
  }
  if (kind === 'color') return color({ label, hint: summary, hooks, put });
  if (kind === 'choice') {
    return menu({ label, hint: summary, hooks, put, options: (parameter.choices ?? []).map((choice) => [choice, words(choice)]) });
  }
  const part = line({ label, hint: summary, hooks, isFixed: kind === 'file', put: (sentence) => {
    const value = read(sentence, parameter);
    if (JSON.stringify(value)?.includes('null')) return;
    put(value);
  } });
  return { ...part, show: (value) => part.show(shown(value)) };
}

function make({ id, effect }) {
  const title = words(effect);
  const body = h('div.parameters', { id: `parameters-${id}` });
  const parts = {
    body,
    grip: h('span.grip', { 'data-action': 'drag', title: 'Drag to reorder' }, icon('grip')),
    open: h('button.open', { type: 'button', 'data-action': 'open', 'aria-controls': body.id, onclick: () => {
      if (!closed.delete(id)) closed.add(id);
      refresh();
    } }, h('span.what', {}, title)),
    note: h('span.mark', { 'data-tone': 'calm', hidden: true }),
    up: iconButton('up', `Move ${title} up`, { 'data-action': 'up', onclick: () => shift(id, -1) }),
    down: iconButton('down', `Move ${title} down`, { 'data-action': 'down', onclick: () => shift(id, 1) }),
    mute: iconButton('eye', `Mute ${title}`, { 'data-action': 'mute', onclick: () => {
      const now = chain().find((element) => element.id === id);
      attempt('PATCH', effectPath(id), { muted: !now.muted });
    } }),
    remove: iconButton('close', `Remove ${title}`, { 'data-action': 'remove', onclick: () => attempt('DELETE', effectPath(id)) }),
  };
  const node = h('li.card.element', { 'data-effect': id, 'data-name': effect },
    h('div.row.tight', {}, parts.grip, parts.open, parts.note, parts.up, parts.down, parts.mute, parts.remove), body);
  node.parts = parts;
  parts.grip.addEventListener('pointerdown', (event) => beginDrag(event, node));
  return node;
}

function update(node, element) {
  const { parts } = node;
  const list = chain();
  const index = list.indexOf(element);
  parts.up.disabled = index === 0;
  parts.down.disabled = index === list.length - 1;
  node.classList.toggle('muted', element.muted);
  setIcon(parts.mute.firstElementChild, element.muted ? 'hidden' : 'eye');
  attribute(parts.mute, 'aria-pressed', element.muted);
  show(parts.note, element.muted);
  text(parts.note, 'muted');
  const known = library?.get(element.effect);
  const parameters = known?.parameters ?? [];
  const isOpen = !closed.has(element.id) && parameters.length > 0;
  attribute(parts.open, 'aria-expanded', isOpen);
  parts.open.title = known?.summary ?? '';
  show(parts.body, isOpen);
  keyed(parts.body, parameters, (parameter) => parameter.name,
    (parameter) => {
      const part = makeParameter(element.id, parameter);
      part.node.show = part.show;
      return part.node;
    },
    (part, parameter) => part.show(element.values?.[parameter.name] ?? parameter.default));
}

// Reordering by pointer: the dragged element follows the pointer, and the other elements make room.

let dragged = null;

function beginDrag(event, node) {
  if (event.button > 0) return;
  event.preventDefault();
  const list = $('chain');
  dragged = { node, startY: event.clientY, ids: chain().map((element) => element.id), from: [...list.children].indexOf(node) };
  dragged.to = dragged.from;
  dragged.rects = [...list.children].map((child) => child.getBoundingClientRect());
  const grip = event.currentTarget;
  grip.setPointerCapture(event.pointerId);
  node.classList.add('lifted');
  const onMove = (move) => {
    const dy = move.clientY - dragged.startY;
    const own = dragged.rects[dragged.from];
    dragged.to = dragged.rects.reduce((to, rect, index) => {
      if (index < dragged.from && own.top + dy < rect.top + rect.height / 2) return Math.min(to, index);
      if (index > dragged.from && own.bottom + dy > rect.top + rect.height / 2) return Math.max(to, index);
      return to;
    }, dragged.from);
    [...list.children].forEach((child, index) => {
      let by = 0;
      if (index > dragged.from && index <= dragged.to) by = -(own.height + 8);
      if (index < dragged.from && index >= dragged.to) by = own.height + 8;
      child.style.transform = child === node ? `translateY(${dy}px)` : by ? `translateY(${by}px)` : '';
    });
  };
  const onEnd = (last) => {
    grip.removeEventListener('pointermove', onMove);
    node.classList.remove('lifted');
    for (const child of list.children) child.style.transform = '';
    const { ids, from, to } = dragged;
    dragged = null;
    if (last.type === 'pointerup' && to !== from) {
      // The page shows the new order at once, before the server confirms the order.
      list.insertBefore(node, to > from ? list.children[to].nextElementSibling : list.children[to]);
      ids.splice(to, 0, ...ids.splice(from, 1));
      order(ids);
    } else refresh();
  };
  grip.addEventListener('pointermove', onMove);
  grip.addEventListener('pointerup', onEnd, { once: true });
  grip.addEventListener('pointercancel', onEnd, { once: true });
}

function build() {
  $('panel-effects').append(
    h('h2.unseen', {}, 'Effects'),
    h('div.chips', { id: 'targets', role: 'group', 'aria-label': 'Effects of' }),
    h('ol.chain', { id: 'chain', 'aria-label': 'Effects in their order' }),
    h('p.quiet.pad', { id: 'chainEmpty' }, 'No effect yet. Choose one below; it is drawn at once.'),
    h('div.row.search', {}, icon('search'),
      h('input', { type: 'search', id: 'effectSearch', placeholder: 'Search effects', 'aria-label': 'Search effects', autocomplete: 'off', spellcheck: 'false', oninput: filter }),
      h('span.quiet', { id: 'effectCount', role: 'status' })),
    h('div.effects', { id: 'effectList', role: 'group', 'aria-label': 'Add an effect' }),
    h('p.quiet.pad', { id: 'effectNone', hidden: true }, 'No effect has this in its name or description.'));
}

export function draw() {
  if (!$('targets')) build();
  load();
  const targets = [...new Set([...state.cameras.map((camera) => camera.id), ...Object.keys(state.chains ?? {}), 'output'])]
    .sort((a, b) => (a === 'output') - (b === 'output'));
  if (!targets.includes(target)) target = targets[0];
  keyed($('targets'), targets, (name) => name,
    (name) => h('button.chip', { type: 'button', 'data-target': name, onclick: () => { target = name; refresh(); } },
      h('span', {}, name === 'output' ? 'whole picture' : name), h('span.count')),
    (node, name) => {
      attribute(node, 'aria-pressed', name === target);
      const count = state.chains?.[name]?.length ?? 0;
      text(node.lastElementChild, count || '');
    });
  if (dragged) return;
  keyed($('chain'), chain(), (element) => `${target} ${element.id} ${element.effect}`, make, update);
  show($('chain'), chain().length > 0);
  show($('chainEmpty'), chain().length === 0);
}
