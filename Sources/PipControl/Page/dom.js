// Helpers that make and update elements. Text from the server never becomes markup.

const svgSpace = 'http://www.w3.org/2000/svg';

/** Makes an element: `h('button.icon', {onclick, 'data-action': 'x'}, child, …)`. */
export function h(kind, attributes = {}, ...children) {
  const [name, ...classes] = kind.split('.');
  const node = document.createElement(name);
  if (classes.length) node.className = classes.join(' ');
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith('on')) node.addEventListener(key.slice(2), value);
    else if (key === 'value' || key === 'checked') node[key] = value;
    else node.setAttribute(key, value === true ? '' : value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

export const $ = (id) => document.getElementById(id);

export function icon(name) {
  const svg = document.createElementNS(svgSpace, 'svg');
  svg.setAttribute('aria-hidden', 'true');
  const use = document.createElementNS(svgSpace, 'use');
  use.setAttribute('href', `#i-${name}`);
  svg.append(use);
  return svg;
}

export function setIcon(svg, name) {
  const use = svg.querySelector('use');
  if (use.getAttribute('href') !== `#i-${name}`) use.setAttribute('href', `#i-${name}`);
}

/** Makes a button with an icon; the label becomes the tooltip and the accessible name. */
export function iconButton(name, label, attributes = {}) {
  return h('button.icon', { type: 'button', 'aria-label': label, title: label, ...attributes }, icon(name));
}

export function text(node, value) {
  const wanted = value ?? '';
  if (node.textContent !== String(wanted)) node.textContent = wanted;
}

export function show(node, visible) {
  if (node.hidden === visible) node.hidden = !visible;
}

export function attribute(node, name, value) {
  if (value === null || value === false) node.removeAttribute(name);
  else if (node.getAttribute(name) !== String(value)) node.setAttribute(name, value);
}

/** Makes one child of `parent` for each item; an element is reused while its item's key stays. */
export function keyed(parent, items, key, make, update) {
  const wanted = new Map(items.map((item) => [String(key(item)), item]));
  const present = new Map();
  for (const child of [...parent.children]) {
    if (child.dataset.key === undefined) continue;
    if (wanted.has(child.dataset.key)) present.set(child.dataset.key, child);
    else child.remove();
  }
  let cursor = parent.firstElementChild;
  for (const [name, item] of wanted) {
    let node = present.get(name);
    if (!node) {
      node = make(item);
      node.dataset.key = name;
    }
    if (node === cursor) cursor = cursor.nextElementSibling;
    else parent.insertBefore(node, cursor);
    update?.(node, item);
  }
}

/** Requests that the whole page is drawn again from the state. */
export const refresh = () => document.dispatchEvent(new Event('refresh'));

// A control in use keeps its value: an older state from the server must not overwrite it.
const used = new WeakMap();
export function hold(node, time = 700) {
  used.set(node, performance.now() + time);
  setTimeout(refresh, time + 50);
}
export const isHeld = (node) => (used.get(node) ?? 0) > performance.now();

let serial = 0;
export const uniqueID = (word) => `${word}-${(serial += 1)}`;

const nice = (span) => {
  const power = 10 ** Math.floor(Math.log10(span / 200));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => span / step <= 200) ?? power;
};

const short = (value) => String(Math.round(value * 1e4) / 1e4);

/**
 * Makes a slider with a field for the exact number.
 *
 * `hooks` are attributes of the slider. `put(value)` receives each number that the user enters, within the range.
 */
export function slider({ label, hint, minimum, maximum, whole, step, unit, hooks = {}, initial, put }) {
  const id = uniqueID('slider');
  const isWide = maximum - minimum > 20000;
  const grain = step ?? (whole ? 1 : nice(maximum - minimum));
  const range = h('input', {
    type: 'range', id, min: minimum, max: maximum, step: grain, hidden: isWide, title: hint, ...hooks,
  });
  const exact = h('input.exact', {
    type: 'number', min: minimum, max: maximum, step: whole ? grain : 'any', inputmode: 'decimal',
    'aria-label': `${label}, exact value`, id: isWide ? id : undefined,
  });
  if (isWide) range.id = uniqueID('slider');
  const node = h('div.slider', {},
    h('label', { for: id, title: hint }, label, unit ? h('span.unit', {}, ` ${unit}`) : null), range, exact);
  const send = (value, from) => {
    if (!Number.isFinite(value)) return;
    const inside = Math.min(Math.max(whole ? Math.round(value) : value, minimum), maximum);
    if (from === range) exact.value = short(inside);
    else range.value = inside;
    hold(node);
    put(inside);
  };
  range.addEventListener('input', () => send(Number(range.value), range));
  exact.addEventListener('input', () => exact.value !== '' && send(Number(exact.value), exact));
  exact.addEventListener('change', () => { exact.value = short(Number(range.value)); });
  if (initial !== undefined && initial !== null) {
    range.addEventListener('dblclick', () => { range.value = initial; send(initial, range); });
  }
  return {
    node,
    show(value, isOff = false) {
      range.disabled = exact.disabled = isOff;
      if (isHeld(node)) return;
      const number = Number(value);
      if (Number(range.value) !== number) range.value = number;
      if (document.activeElement !== exact && exact.value !== short(number)) exact.value = short(number);
    },
  };
}

/** Makes a switch with a label; `put` receives the new value. */
export function toggle({ label, hint, hooks = {}, put }) {
  const input = h('input', { type: 'checkbox', role: 'switch', ...hooks });
  input.addEventListener('change', () => { hold(input); put(input.checked); });
  return {
    node: h('label.switch', { title: hint }, input, h('span', {}, label)),
    show(value, isOff = false) {
      input.disabled = isOff;
      if (!isHeld(input) && input.checked !== value) input.checked = value;
    },
  };
}

/** Makes a menu; `options` are pairs `[value, title]` of texts. */
export function menu({ label, hint, hooks = {}, options = [], put, isCompact }) {
  const id = uniqueID('menu');
  const select = h('select', { id, ...hooks });
  select.addEventListener('change', () => { hold(select); put(select.value); });
  let shown = '';
  const fill = (list) => {
    const text = JSON.stringify(list);
    if (text === shown) return;
    shown = text;
    select.replaceChildren(...list.map(([value, title]) => h('option', { value }, title)));
  };
  fill(options);
  return {
    node: h(isCompact ? 'div.field.compact' : 'div.field', { title: hint }, h('label', { for: id }, label), select),
    show(value, list, isOff = false) {
      if (list) fill(list);
      select.disabled = isOff;
      if (!isHeld(select) && select.value !== String(value)) select.value = value;
    },
  };
}

/** Makes a text field; `put` receives the text after each input. */
export function line({ label, hint, hooks = {}, put, isFixed }) {
  const id = uniqueID('line');
  const input = h('input', { type: 'text', id, readonly: isFixed, autocomplete: 'off', spellcheck: 'false', ...hooks });
  input.addEventListener('input', () => { hold(input); put?.(input.value); });
  return {
    node: h('div.field', { title: hint }, h('label', { for: id }, label), input),
    show(value) {
      if (!isHeld(input) && document.activeElement !== input && input.value !== value) input.value = value;
    },
  };
}

/** Makes a colour picker; `put` receives the colour as `#rrggbb`, followed by the previous alpha. */
export function color({ label, hint, hooks = {}, put }) {
  const id = uniqueID('color');
  const input = h('input', { type: 'color', id, ...hooks });
  let alpha = '';
  input.addEventListener('input', () => { hold(input); put(input.value + alpha); });
  return {
    node: h('div.field.compact', { title: hint }, h('label', { for: id }, label), input),
    show(value, isOff = false) {
      input.disabled = isOff;
      const parts = /^(#[0-9a-f]{6})([0-9a-f]{2})?$/i.exec(value ?? '');
      alpha = parts?.[2] ?? '';
      if (!isHeld(input) && parts && input.value !== parts[1].toLowerCase()) input.value = parts[1].toLowerCase();
    },
  };
}

// Short messages to the user.

const recent = new Map();

/** Shows a sentence for some seconds and announces it to screen readers, but not again within 3 seconds. */
export function toast(sentence, level = 'info') {
  const now = performance.now();
  if (!sentence || now - (recent.get(sentence) ?? -1e9) < 3000) return;
  recent.set(sentence, now);
  const node = h(`div.toast.${level === 'error' || level === 'warning' ? level : 'info'}`, {},
    level === 'info' ? null : icon('alert'), h('p', {}, sentence),
    iconButton('close', 'Dismiss', { onclick: () => node.remove(), 'data-action': 'dismiss' }));
  const list = $('toasts');
  list.append(node);
  while (list.children.length > 4) list.firstElementChild.remove();
  setTimeout(() => node.remove(), level === 'error' ? 12000 : 6000);
  announce(sentence);
}

export function announce(sentence) {
  const said = h('p', {}, sentence);
  $('announce').append(said);
  setTimeout(() => said.remove(), 5000);
}

// Human-readable quantities.

export function bytes(count) {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let value = count;
  let index = 0;
  while (value >= 999.5 && index < units.length - 1) {
    value /= 1000;
    index += 1;
  }
  return `${index && value < 99.5 ? value.toFixed(1) : Math.round(value)} ${units[index]}`;
}

export function rate(bits) {
  if (bits >= 1e6) return `${(bits / 1e6).toFixed(1)} Mbit/s`;
  return `${Math.round(bits / 1000)} kbit/s`;
}

export function time(seconds) {
  const whole = Math.max(0, Math.floor(seconds));
  const parts = [Math.floor(whole / 60) % 60, whole % 60].map((part) => String(part).padStart(2, '0'));
  return whole >= 3600 ? `${Math.floor(whole / 3600)}:${parts.join(':')}` : parts.join(':');
}

export const number = (value, digits = 1) =>
  value === null || value === undefined ? '–' : Number(value).toFixed(digits);

export const words = (name) => name.replaceAll(/[-_]/g, ' ');
