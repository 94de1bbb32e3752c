// The scenes: named arrangements of all layers.

import { $, h, keyed, iconButton, icon, show, text, attribute, announce } from './dom.js';
import { state, attempt, settled } from './api.js';

const path = (name) => `scenes/${encodeURIComponent(name)}`;
const keep = 'pip-compose-transition';

function transition() {
  const kind = $('transition')?.value ?? localStorage.getItem(keep) ?? 'cut';
  return kind === 'cut' ? { transition: 'cut' } : { transition: 'fade', duration: `${$('duration')?.value || 500}ms` };
}

export async function activate(name) {
  await settled();
  if (await attempt('POST', `${path(name)}/activate`, transition()) !== undefined) announce(`Scene ${name}`);
}

export const activateNumber = (index) => state.scenes[index] !== undefined && activate(state.scenes[index]);

async function save(event) {
  event.preventDefault();
  const field = $('sceneName');
  const name = field.value.trim();
  if (!name) return field.focus();
  if (await attempt('PUT', path(name), {}) !== undefined) {
    field.value = '';
    announce(`Saved as ${name}`);
  }
}

function make(name) {
  const field = h('input', { type: 'text', 'aria-label': `New name of ${name}`, 'data-rename': name, autocomplete: 'off', spellcheck: 'false' });
  const edit = h('form.row.tight', { hidden: true, onsubmit: async (event) => {
    event.preventDefault();
    const next = field.value.trim();
    if (next && next !== name && await attempt('PATCH', path(name), { name: next }) === undefined) return;
    close();
  } }, field, h('button.first', { type: 'submit', 'data-action': 'rename-ok' }, 'Rename'),
  iconButton('close', 'Do not rename', { 'data-action': 'rename-cancel', onclick: () => close() }));
  const sure = h('div.row.tight', { hidden: true }, h('p.grow', {}, `Delete ${name}?`),
    h('button.danger', { type: 'button', 'data-action': 'delete-ok', onclick: () => attempt('DELETE', path(name)) }, 'Delete'),
    h('button', { type: 'button', 'data-action': 'delete-cancel', onclick: () => close() }, 'Keep'));
  const go = h('button.scene', { type: 'button', 'data-action': 'activate', onclick: () => activate(name) },
    h('kbd', { 'aria-hidden': 'true' }), h('span.cut', {}, name), h('span.mark', { 'data-tone': 'good', hidden: true }, 'shown'));
  const rename = iconButton('pen', `Rename ${name}`, { 'data-action': 'rename', onclick: () => {
    field.value = name;
    close();
    plain.hidden = true;
    edit.hidden = false;
    field.focus();
    field.select();
  } });
  const remove = iconButton('trash', `Delete ${name}`, { 'data-action': 'delete', onclick: () => {
    plain.hidden = true;
    sure.hidden = false;
    sure.querySelector('[data-action=delete-cancel]').focus();
  } });
  const plain = h('div.row.tight', {}, go, rename, remove);
  const close = () => {
    edit.hidden = true;
    sure.hidden = true;
    plain.hidden = false;
  };
  const node = h('li.card', { 'data-scene': name }, plain, edit, sure);
  node.parts = { go };
  edit.addEventListener('keydown', (event) => event.key === 'Escape' && close());
  return node;
}

function build() {
  const choose = h('select', { id: 'transition', onchange: () => {
    localStorage.setItem(keep, choose.value);
    $('duration').disabled = choose.value === 'cut';
  } }, h('option', { value: 'cut' }, 'cut'), h('option', { value: 'fade' }, 'fade'));
  choose.value = localStorage.getItem(keep) === 'fade' ? 'fade' : 'cut';
  $('panel-scenes').append(
    h('h2.unseen', {}, 'Scenes'),
    h('div.card.pair', {},
      h('div.field', {}, h('label', { for: 'transition' }, 'Change by'), choose),
      h('div.field', {}, h('label', { for: 'duration' }, 'Duration', h('span.unit', {}, ' ms')),
        h('input', { id: 'duration', type: 'number', min: 0, max: 10000, step: 100, value: 500, disabled: choose.value === 'cut' }))),
    h('ol.list', { id: 'sceneList', 'aria-label': 'Scenes' }),
    h('p.quiet.pad', { id: 'scenesEmpty' }, 'No scene yet. Place the layers as you like them and save that under a name.'),
    h('form.card', { id: 'sceneForm', onsubmit: save },
      h('button.wide', { type: 'button', id: 'sceneUpdate', 'data-action': 'scene-update', hidden: true, onclick: () => attempt('PUT', path(state.scene.name), {}) }, icon('save'), h('span')),
      h('div.field', {}, h('label', { for: 'sceneName' }, 'Save the present picture as'),
        h('div.row.tight', {}, h('input', { id: 'sceneName', type: 'text', autocomplete: 'off', maxlength: 64, placeholder: 'name' }),
          h('button', { type: 'submit', id: 'sceneSave', 'data-action': 'scene-save' }, icon('plus'), 'Save')))));
}

/** Draws the row of scene buttons below the picture. */
export function drawChips() {
  show($('sceneChips'), state.scenes.length > 0);
  keyed($('sceneChips'), state.scenes, (name) => name,
    (name) => h('button.chip', { type: 'button', 'data-scene-chip': name, onclick: () => activate(name) }, h('kbd', { 'aria-hidden': 'true' }), h('span.cut', {}, name)),
    (node, name) => {
      const index = state.scenes.indexOf(name);
      text(node.firstElementChild, index < 9 ? index + 1 : '');
      attribute(node, 'aria-pressed', state.scene?.name === name);
      node.classList.toggle('changed', state.scene?.name === name && state.scene.changed);
      node.title = state.scene?.name === name && state.scene.changed ? 'Changed since it was saved' : '';
    });
}

export function draw() {
  if (!$('sceneList')) build();
  keyed($('sceneList'), state.scenes, (name) => name, make, (node, name) => {
    const [key, , mark] = node.parts.go.children;
    const index = state.scenes.indexOf(name);
    const isShown = state.scene?.name === name;
    text(key, index < 9 ? index + 1 : '');
    show(mark, isShown);
    text(mark, isShown && state.scene.changed ? 'changed' : 'shown');
    mark.dataset.tone = isShown && state.scene.changed ? 'warn' : 'good';
    attribute(node.parts.go, 'aria-current', isShown ? 'true' : null);
  });
  show($('scenesEmpty'), state.scenes.length === 0);
  const changed = state.scene?.name && state.scene.changed && state.scenes.includes(state.scene.name);
  show($('sceneUpdate'), Boolean(changed));
  if (changed) text($('sceneUpdate').lastElementChild, `Save the changes to ${state.scene.name}`);
}
