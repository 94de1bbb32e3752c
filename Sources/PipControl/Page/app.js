// The page: its tabs, keyboard shortcuts and theme.

import { $, show, text, setIcon, attribute, number, time, toast, announce, icon, keyed, h } from './dom.js';
import * as api from './api.js';
import * as picture from './picture.js';
import * as layers from './layers.js';
import * as cameras from './cameras.js';
import * as effects from './effects.js';
import * as outputs from './outputs.js';
import * as recordings from './recordings.js';
import * as scenes from './scenes.js';
import * as pressure from './pressure.js';
import { preview, onPreview, setUpPreview, start as startPreview, stop as stopPreview } from './live.js';
import { sample, forget } from './curves.js';

const panels = { layers, cameras, effects, outputs, recordings, scenes, pressure };
const wide = matchMedia('(min-width: 1000px)');
const remembered = (name) => { try { return localStorage.getItem(name); } catch { return null; } };
const remember = (name, value) => { try { localStorage.setItem(name, value); } catch { /* The browser stores nothing: the page forgets the value. */ } };

// The theme: the system's, light or dark.

const themes = ['auto', 'light', 'dark'];
function setTheme(theme) {
  if (theme === 'auto') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  const button = $('theme');
  button.replaceChildren(icon({ auto: 'theme', light: 'sun', dark: 'moon' }[theme]));
  const label = `Colours: ${{ auto: 'as the system', light: 'light', dark: 'dark' }[theme]}`;
  for (const name of ['title', 'aria-label']) button.setAttribute(name, label);
  button.dataset.value = theme;
}
setTheme(themes.includes(remembered('pip-compose-theme')) ? remembered('pip-compose-theme') : 'auto');
$('theme').addEventListener('click', () => {
  const next = themes[(themes.indexOf($('theme').dataset.value) + 1) % 3];
  remember('pip-compose-theme', next);
  setTheme(next);
  plan();
});

// Tabs.

let tab = panels[remembered('pip-compose-tab')] ? remembered('pip-compose-tab') : 'layers';

const isOffered = (name) => name !== 'recordings' || api.state.can.recordings !== 'none';
/** The tab to show. On a wide page the layers are shown below the picture, and have no tab. */
function shownTab() {
  const name = isOffered(tab) ? tab : 'layers';
  return wide.matches && name === 'layers' ? 'cameras' : name;
}

function drawTabs() {
  const current = shownTab();
  document.body.classList.toggle('library', current === 'recordings');
  for (const name of Object.keys(panels)) {
    const button = $(`tab-${name}`);
    const isOwnPlace = wide.matches && name === 'layers';
    show(button, !isOwnPlace && isOffered(name));
    attribute(button, 'aria-selected', name === current);
    button.tabIndex = name === current ? 0 : -1;
    const panel = $(`panel-${name}`);
    show(panel, isOwnPlace || name === current);
    attribute(panel, 'role', isOwnPlace ? 'region' : 'tabpanel');
    attribute(panel, 'aria-labelledby', isOwnPlace ? 'layersTitle' : `tab-${name}`);
  }
}

function openTab(name) {
  tab = name;
  remember('pip-compose-tab', name);
  draw();
}
$('tabs').addEventListener('click', (event) => {
  const button = event.target.closest('[data-tab]');
  if (button) openTab(button.dataset.tab);
});
$('tabs').addEventListener('keydown', (event) => {
  const buttons = [...$('tabs').children].filter((button) => !button.hidden);
  const index = buttons.findIndex((button) => button === document.activeElement);
  const next = { ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: buttons.length - 1 }[event.key];
  if (next === undefined) return;
  event.preventDefault();
  const button = buttons[(next + buttons.length) % buttons.length];
  openTab(button.dataset.tab);
  button.focus();
});

// Planned drawing: at most once for each frame of the screen.

let isPlanned = false;
function plan() {
  if (isPlanned) return;
  isPlanned = true;
  requestAnimationFrame(() => {
    isPlanned = false;
    draw();
  });
}

const followPreview = setUpPreview();

function draw() {
  if (!api.state) return;
  drawTabs();
  picture.draw();
  drawFacts();
  drawNotice();
  drawButtons();
  scenes.drawChips();
  followPreview();
  panels[shownTab()].draw();
  if (wide.matches) layers.draw();
}

function drawFacts() {
  const { output, pressure: { level, temperature } } = api.state;
  text($('factRate'), `${number(output.fps)} fps`);
  const made = output.latency_ms?.p50 ?? null;
  const { kind, delay } = preview();
  const total = made === null ? null : made + (kind === 'webrtc' ? delay : 0);
  text($('factLatency'), total === null ? '–' : `${Math.round(total)} ms`);
  $('factLatency').title = made === null ? '' : `camera to output ${number(made, 0)} ms (99 %: ${number(output.latency_ms.p99, 0)} ms)`
    + (kind === 'webrtc' && delay ? `, to this page ${number(delay, 0)} ms` : '');
  text($('factLevel'), temperature === null || temperature === undefined ? level : `${level}, ${number(temperature, 0)} °C`);
  $('factLevel').parentElement.dataset.tone = pressure.toneOf(level);
}

function drawNotice() {
  const { cameras: all } = api.state;
  const { kind, reason } = preview();
  const bad = all.filter((camera) => !cameras.isWell(camera));
  const isLost = all.length > 0 && bad.length === all.length && !all.some((camera) => camera.state === 'opening' || camera.state === 'ended');
  let [title, sentence, list] = ['', '', []];
  if (all.length === 0) {
    title = 'No camera';
    sentence = 'Plug one in and name it in the configuration. The picture begins by itself.';
  } else if (isLost && all.every(cameras.isOff)) {
    title = 'All cameras are off';
    sentence = 'Switch one on under Cameras.';
  } else if (isLost) {
    const wasThere = all.some((camera) => camera.delivered > 0);
    title = wasThere ? 'All cameras are lost' : 'No camera is there';
    sentence = `The picture ${wasThere ? 'goes on by itself when one comes back' : 'begins by itself when one comes'}.`;
    list = bad.filter((camera) => camera.reason).map((camera) => ({ id: camera.id, why: camera.reason }));
  } else if (kind === 'failed') {
    title = 'The preview is not available';
    sentence = reason || 'The composition itself goes on; the preview is tried again.';
  }
  show($('notice'), Boolean(title));
  text($('noticeTitle'), title);
  text($('noticeText'), sentence);
  keyed($('noticeList'), list, (each) => `${each.id} ${each.why}`, (each) => h('li', {}, each.why.startsWith(each.id) ? null : h('b', {}, `${each.id}: `), each.why));
  show($('noticeList'), list.length > 0);
  show($('noticeAction'), kind === 'failed' && all.length > 0 && !isLost);
}

function drawButtons() {
  const [all, present] = [outputs.recordings(), outputs.ownRecordings()];
  const button = $('record');
  button.classList.toggle('on', present.length > 0);
  attribute(button, 'aria-pressed', present.length > 0);
  text($('recordText'), present.length ? time(present[0].seconds ?? 0) : 'Record');
  attribute(button, 'aria-label', present.length ? `Stop recording, ${time(present[0].seconds ?? 0)}` : 'Record');
  setIcon(button.firstElementChild, present.length ? 'stop' : 'record');
  $('swap').disabled = api.state.layers.length < 2;
  attribute(button, 'title', all.length > present.length ? 'Record (R), beside what the configuration records' : 'Record (R)');
  document.title = `${all.length ? '● ' : ''}${api.state.scene?.name ? `${api.state.scene.name} – ` : ''}pip-compose`;
}

// Adds a sample to each curve once a second, from the latest state.

const before = new Map();
setInterval(() => {
  if (!api.state || api.connection !== 'live') return;
  const names = new Set(['heat', 'level']);
  for (const camera of api.state.cameras) {
    const drops = Object.values(camera.drops ?? {}).reduce((sum, count) => sum + count, 0);
    sample(`fps ${camera.id}`, cameras.isWell(camera) ? camera.fps ?? 0 : 0, 60);
    sample(`drops ${camera.id}`, Math.max(0, drops - (before.get(camera.id) ?? drops)), 60);
    before.set(camera.id, drops);
    names.add(`fps ${camera.id}`).add(`drops ${camera.id}`);
  }
  sample('heat', api.state.pressure.temperature ?? null, 600);
  sample('level', Math.max(0, pressure.levels.indexOf(api.state.pressure.level)), 600);
  forget((name) => names.has(name));
  plan();
}, 1000);

// Connection.

function drawConnection(next) {
  const isSigning = next === 'sign-in';
  show($('signIn'), isSigning);
  show($('app'), !isSigning && Boolean(api.state));
  show($('waiting'), !isSigning && !api.state);
  show($('gone'), next === 'gone');
  for (const part of $('main').children) part.inert = next === 'gone';
  document.body.classList.toggle('away', next === 'gone');
  if (next === 'gone') {
    text($('goneDetail'), api.trouble || 'Trying again until it comes back.');
    text($('waitingTitle'), 'The server does not answer');
    text($('waitingText'), api.trouble || 'Trying again until it comes back.');
    stopPreview();
  }
  if (next === 'live') {
    if (wasGone) announce('The server is back.');
    text($('about'), api.state.program);
    effects.forgetLibrary();
    draw();
    startPreview();
  }
  if (isSigning) {
    stopPreview();
    for (const dialog of document.querySelectorAll('dialog[open]')) dialog.close();
    $('token').focus();
  }
  wasGone = next === 'gone';
}
let wasGone = false;

$('signInForm').addEventListener('submit', async (event) => {
  event.preventDefault();
  const [field, button] = [$('token'), $('signInButton')];
  button.disabled = true;
  text($('signInError'), '');
  try {
    await api.signIn(field.value);
    field.value = '';
    remember('pip-compose-signed-in', 'yes');
  } catch (problem) {
    const sentence = problem.status === 429
      ? `Too many wrong tokens. Try again in ${problem.wait || 60} seconds.`
      : problem.status === 401 ? 'That is not the token.' : problem.message;
    text($('signInError'), sentence);
    attribute(field, 'aria-invalid', 'true');
    field.select();
  }
  button.disabled = false;
});

// Buttons and keys.

const actions = {
  record: outputs.toggleRecording, still: outputs.takeStill, swap: picture.swap, again: api.connect,
  noticeAction: startPreview, help,
};
for (const [id, act] of Object.entries(actions)) $(id).addEventListener('click', () => act());
function help() {
  show($('signOut'), remembered('pip-compose-signed-in') === 'yes');
  $('helpDialog').showModal();
}
$('signOut').addEventListener('click', () => {
  remember('pip-compose-signed-in', 'no');
  $('helpDialog').close();
  api.signOut();
});
$('shortcuts').checked = remembered('pip-compose-keys') !== 'off';
$('shortcuts').addEventListener('change', () => remember('pip-compose-keys', $('shortcuts').checked ? 'on' : 'off'));
for (const dialog of document.querySelectorAll('dialog')) {
  dialog.addEventListener('click', (event) => event.target === dialog && dialog.close());
}

const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.defaultPrevented) return;
  if (api.connection !== 'live' || !$('shortcuts').checked || document.querySelector('dialog[open]')) return;
  const at = event.target instanceof Element ? event.target : document.body;
  if (at.closest('input:not([type=range]):not([type=checkbox]), select, textarea, video')) return;
  const isControl = at.closest('button, a, summary, input, [role=tab]') !== null;
  if (arrows[event.key]) {
    if (isControl && at.closest('input, [role=tab]')) return;
    const [dx, dy] = arrows[event.key].map((step) => step * (event.shiftKey ? 10 : 1));
    if (picture.nudge(dx, dy)) event.preventDefault();
    return;
  }
  const key = event.key.toLowerCase();
  if (event.repeat && !['+', '-', '='].includes(key)) return;
  if (key === ' ') {
    if (isControl) return;
    event.preventDefault();
    outputs.takeStill();
  } else if (key === 's') picture.swap();
  else if (key === 'r') outputs.toggleRecording();
  else if (key === '?') help();
  else if (key === '+' || key === '=') picture.grow(1);
  else if (key === '-') picture.grow(-1);
  else if (/^[1-9]$/.test(key)) scenes.activateNumber(Number(key) - 1);
});

// Messages from the server.

api.watch('message', (message) => {
  pressure.remember(message);
  if (message.level === 'warning' || message.level === 'error') toast(message.message, message.level);
  else announce(message.message);
  plan();
});
api.watch('state', plan);
api.watch('connection', drawConnection);
onPreview(plan);
document.addEventListener('refresh', plan);
addEventListener('resize', plan);

picture.setUp();
api.connect();
