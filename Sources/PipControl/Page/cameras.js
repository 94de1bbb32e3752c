// The cameras: their frame rates, modes and controls.

import { $, h, keyed, slider, toggle, menu, show, text, number, words, icon, attribute } from './dom.js';
import { state, later, attempt } from './api.js';
import { plot, series } from './curves.js';

const address = (id) => `cameras/${encodeURIComponent(id)}`;

const states = {
  streaming: 'live', opening: 'opening', stalled: 'no pictures', lost: 'not there', disabled: 'off',
  closed: 'closed', ended: 'ended',
};
export const isWell = (camera) => camera.state === 'streaming';
export const isOff = (camera) => camera.state === 'disabled' || !camera.enabled;

const modeKey = (mode) => `${mode.size} ${Number(mode.fps)} ${mode.format}`;
const modeTitle = (mode) => `${mode.size.replace('x', '×')} · ${Math.round(mode.fps * 100) / 100} fps · ${mode.format}`;

const turns = [
  ['mounting', 'as it is mounted'], ['device', 'as the device is held'], ['0', 'not at all'], ['90', 'to the right'],
  ['180', 'upside down'], ['270', 'to the left'],
];
const limits = [30, 25, 20, 15, 10, 5, 2, 1];

function make({ id }) {
  const node = h('article.card.camera', { 'data-camera': id, 'aria-label': `Camera ${id}` });
  const own = () => state.cameras.find((camera) => camera.id === id);
  const parts = {
    title: h('h3', {}, id), mark: h('span.mark'), source: h('p.quiet.cut'),
    power: toggle({
      label: 'On', hooks: { 'data-action': 'enable', 'aria-label': `${id} on` },
      put: (enabled) => attempt('PATCH', address(id), { enabled }),
    }),
    why: h('div.why', { hidden: true }, icon('alert'), h('p')),
    curve: h('canvas.curve', { role: 'img' }),
    rate: h('dd'), drops: h('dd'), used: h('dd'),
    mode: menu({
      label: 'Mode', hooks: { 'data-action': 'mode' },
      put: (key) => {
        const mode = own()?.modes?.find((each) => modeKey(each) === key);
        if (mode) attempt('PATCH', address(id), { mode: { size: mode.size, fps: mode.fps, format: mode.format } });
      },
    }),
    rotation: menu({
      label: 'Turned', hooks: { 'data-action': 'rotation' }, options: turns,
      put: (rotation) => attempt('PATCH', address(id), { rotation }),
    }),
    limit: menu({
      label: 'At most', hint: 'Fewer pictures are used; the camera stays as it is.', hooks: { 'data-action': 'limit' },
      put: (key) => attempt('PATCH', address(id), { rate_limit: key === 'all' ? null : Number(key) }),
    }),
    controls: h('div.controls'),
    more: h('details', { 'data-action': 'controls' }, h('summary', {}, 'Controls')),
    log: h('ul.log'),
  };
  parts.more.append(parts.controls);
  parts.treatment = h('div.pair', {}, parts.rotation.node, parts.limit.node);
  parts.curve.title = 'Frames a second over the last minute; bars are dropped frames';
  node.append(
    h('div.row', {}, h('div.grow', {}, h('div.row.tight', {}, parts.title, parts.mark), parts.source), parts.power.node),
    parts.why, parts.curve,
    h('dl.numbers', {},
      h('div', {}, h('dt', {}, 'Rate'), parts.rate), h('div', {}, h('dt', {}, 'Dropped'), parts.drops),
      h('div', {}, h('dt', {}, 'Used'), parts.used)),
    parts.mode.node, parts.treatment, parts.more, parts.log);
  node.parts = parts;
  return node;
}

const isExposure = (control) => control.kind === 'menu' && control.choices?.length === 2
  && control.choices.some((choice) => /manual/i.test(choice.title));

function makeControl(camera, control) {
  const hooks = { 'data-control': control.name };
  const label = control.title || words(control.name);
  const put = (value) => later(`control ${camera} ${control.name}`, 'PATCH', address(camera), { controls: { [control.name]: value } });
  if (control.kind === 'boolean') {
    const part = toggle({ label, hooks, put: (on) => put(on ? 1 : 0) });
    return { ...part, show: (value, isDisabled) => part.show(Boolean(value), isDisabled) };
  }
  if (isExposure(control)) {
    const manual = control.choices.find((choice) => /manual/i.test(choice.title)).value;
    const auto = control.choices.find((choice) => choice.value !== manual).value;
    const part = toggle({ label, hooks, put: (on) => put(on ? auto : manual) });
    return { ...part, show: (value, isDisabled) => part.show(value !== manual, isDisabled) };
  }
  if (control.kind === 'menu') {
    return menu({
      label, hooks, put: (value) => put(Number(value)),
      options: (control.choices ?? []).map((choice) => [String(choice.value), choice.title]),
    });
  }
  return slider({
    label, hooks, put, whole: true, step: control.step || 1, minimum: control.minimum, maximum: control.maximum,
    initial: control.default,
  });
}

function drawControls(parts, camera) {
  const known = (camera.controls ?? []).filter((control) => ['boolean', 'menu', 'integer'].includes(control.kind));
  show(parts.more, known.length > 0 && isWell(camera));
  if (!parts.more.open) return;
  keyed(parts.controls, known, (control) => `${control.name} ${control.kind} ${control.minimum} ${control.maximum}`,
    (control) => {
      const part = makeControl(camera.id, control);
      part.node.show = (now) => {
        const isDisabled = now.read_only || now.active === false;
        if (now.kind === 'menu' && !isExposure(now)) part.show(now.value, null, isDisabled);
        else part.show(now.value, isDisabled);
      };
      return part.node;
    },
    (node, control) => node.show(control));
}

function update(node, camera) {
  const { parts } = node;
  const canDisable = camera.can_disable ?? camera.kind === 'camera';
  const tone = isWell(camera) ? 'good' : camera.state === 'opening' || isOff(camera) ? 'calm' : 'bad';
  text(parts.mark, camera.kind !== 'camera' && isWell(camera) ? words(camera.kind) : states[camera.state] ?? camera.state);
  parts.mark.dataset.tone = tone;
  // The options after the question mark are shown as the camera's mode and controls.
  const name = camera.source.replace(/\?.*$/, '');
  text(parts.source, [name, camera.device].filter((part, index, all) => part && all.indexOf(part) === index).join(' · '));
  parts.source.title = parts.source.textContent;
  show(parts.power.node, canDisable);
  parts.power.show(camera.enabled);
  const why = isWell(camera) || isOff(camera) ? '' : camera.reason || 'The source sends no pictures. Check its cable or address, and what else uses it.';
  show(parts.why, Boolean(why));
  text(parts.why.lastElementChild, why);
  const dropped = Object.entries(camera.drops ?? {}).filter(([, count]) => count > 0);
  const total = dropped.reduce((sum, [, count]) => sum + count, 0);
  text(parts.rate, `${number(camera.fps)}${camera.nominal_fps ? ` of ${number(camera.nominal_fps, 0)}` : ''} fps`);
  text(parts.drops, total ? dropped.map(([name, count]) => `${count} ${words(name)}`).join(', ') : 'none');
  text(parts.used, `${camera.used ?? 0} of ${camera.delivered ?? 0}`);
  show(parts.curve, isWell(camera) || series(`fps ${camera.id}`).some(Boolean));
  attribute(parts.curve, 'aria-label', `Rate over the last minute, now ${number(camera.fps)} frames a second; ${total} dropped`);
  const modes = camera.modes ?? [];
  show(parts.mode.node, modes.length > 0 && !isOff(camera));
  if (modes.length) {
    const near = modes.find((mode) => mode.size === camera.size && Math.abs(mode.fps - camera.nominal_fps) < 0.5 && mode.format === camera.format);
    const list = modes.map((mode) => [modeKey(mode), modeTitle(mode)]);
    const present = `${camera.size} ${camera.format}`;
    parts.mode.show(near ? modeKey(near) : present,
      near ? list : [[present, `${(camera.size ?? '–').replace('x', '×')} · ${camera.format ?? ''}`], ...list]);
  }
  const isCamera = camera.kind === 'camera';
  show(parts.treatment, isCamera && !isOff(camera));
  if (isCamera) {
    const turn = String(camera.rotation);
    parts.rotation.show(turn, turns.some(([key]) => key === turn) ? turns : [[turn, words(turn)], ...turns]);
    const limit = camera.rate_limit ? String(camera.rate_limit) : 'all';
    const known = [...new Set([...limits.filter((each) => each < (camera.nominal_fps || 60)).map(String), limit])]
      .filter((key) => key !== 'all').sort((one, other) => other - one);
    parts.limit.show(limit, [['all', 'all pictures'], ...known.map((key) => [key, `${key} fps`])]);
  }
  drawControls(parts, camera);
  const sentences = (camera.events ?? []).slice(-2);
  show(parts.log, sentences.length > 0 && !why);
  keyed(parts.log, sentences.map((sentence, index) => ({ sentence, index })), (each) => each.index + each.sentence, (each) => h('li', {}, each.sentence));
}

function curves() {
  for (const node of $('cameraList')?.children ?? []) {
    const camera = state.cameras.find((each) => each.id === node.dataset.camera);
    if (!camera) continue;
    const line = series(`fps ${camera.id}`);
    plot(node.parts.curve, {
      line, bars: series(`drops ${camera.id}`), length: 60, marks: [camera.nominal_fps || 0],
      top: Math.max(camera.nominal_fps || 0, ...line) * 1.15 || 30,
    });
  }
}

export function draw() {
  if (!$('cameraList')) {
    $('panel-cameras').append(h('h2.unseen', {}, 'Cameras'), h('div.cards', { id: 'cameraList' }),
      h('div.empty', { id: 'noCameras', hidden: true }, icon('camera'), h('h3', {}, 'No camera'),
        h('p', {}, 'Plug one in and name it in the configuration, or start with a pattern to see that everything else works:'),
        h('code', {}, 'pip-compose compose pattern:bars')),
      h('div.card', { id: 'values', hidden: true }, h('h3', {}, 'Values'), h('dl.numbers', { id: 'valueList' })));
  }
  keyed($('cameraList'), state.cameras, (camera) => camera.id, make, update);
  show($('noCameras'), state.cameras.length === 0);
  const values = state.telemetry ?? [];
  show($('values'), values.length > 0);
  keyed($('valueList'), values, (each) => each.name, (each) => h('div', {}, h('dt', {}, each.name), h('dd')), (node, each) => {
    text(node.lastElementChild, typeof each.value === 'number' ? String(Math.round(each.value * 1e4) / 1e4) : each.value);
    node.classList.toggle('stale', !each.present);
  });
  curves();
}
