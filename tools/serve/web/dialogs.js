// The dialogs for keeping games and sharing positions: open, save, link, help.

import { post } from './api.js';
import { cellCount } from './geometry.js';
import { encode } from './link.js';
import { GameTree } from './tree.js';
import { byId } from './svg.js';

// A game's name for people.
export const title = (game) => game[0].toUpperCase() + game.slice(1);

const endings = { sgf: 'sgf', record: 'json', list: 'txt' };

// A game that the server has read, as settings and tree of a session.
export function fromServer(loaded) {
  const { game, size, komi, capture, pie, initialStones, initialPlayer } = loaded;
  const settings = { game, size, komi, initialStones, initialPlayer, ...(capture ? { capture } : {}), ...(pie ? { pie } : {}) };
  return { settings, tree: GameTree.fromList(loaded.nodes, loaded.comment, loaded.root), names: { B: loaded.black, W: loaded.white } };
}

export async function toText(session, format) {
  const { names, tree } = session;
  const request = session.describe(tree.root, []);
  delete request.moves;
  const { text } = await post('api/save', {
    ...request, format, black: names.B, white: names.W, date: new Date().toISOString().slice(0, 10),
    comment: tree.root.comment, root: GameTree.findings(tree.root), nodes: tree.toList(),
  });
  return text;
}

// A number that was typed; an error in words where it is none, or out of bounds.
export function readNumber(text, what, least, most) {
  const value = Number(text);
  if (text.trim() === '' || !(value >= least && value <= most)) throw new Error(`${what}: expected a number from ${least} to ${most}.`);
  return value;
}

// Komi that was typed for a board: a whole number, at most all cells to either side.
export function readKomi(text, size) {
  const most = cellCount(size), value = Number(text);
  if (text.trim() === '' || !Number.isInteger(value) || Math.abs(value) > most)
    throw new Error(`Komi: expected a whole number from −${most} to ${most}, for that is all there is on this board.`);
  return value;
}

// Everything that a dialog's form does: an error stays in the dialog, success closes it.
export function onSubmit(dialog, action) {
  const form = dialog.querySelector('form'), message = dialog.querySelector('.error');
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    message.textContent = '';
    try {
      await action(new FormData(form), event.submitter);
      dialog.close();
    } catch (error) {
      message.textContent = error.message;
    }
  });
  for (const button of dialog.querySelectorAll('[data-close]')) button.addEventListener('click', () => dialog.close());
}

export function open(dialog) {
  dialog.querySelector('.error')?.replaceChildren();
  dialog.showModal();
  dialog.scrollTop = 0; // the button that takes the focus may be at the end
}

function setUpOpen(session, opened) {
  const dialog = byId('open-dialog'), text = byId('open-text');
  byId('open-file').addEventListener('change', async (event) => {
    const file = event.target.files[0];
    if (file) text.value = await file.text();
  });
  onSubmit(dialog, async () => {
    const { game, size } = session.settings;
    const { settings, tree, names } = fromServer(await post('api/load', { text: text.value, game, size }));
    await session.start(settings, tree, { names });
    opened();
  });
  byId('open').addEventListener('click', () => open(dialog));
}

function setUpSave(session) {
  const dialog = byId('save-dialog'), text = byId('save-text'), message = dialog.querySelector('.error');
  const format = () => new FormData(dialog.querySelector('form')).get('format');
  const write = async () => {
    message.textContent = text.value = '';
    try {
      text.value = await toText(session, format());
    } catch (error) {
      message.textContent = error.message;
    }
    byId('save-file').disabled = !text.value;
  };
  for (const radio of dialog.querySelectorAll('[name=format]')) radio.addEventListener('change', write);
  onSubmit(dialog, async () => {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([text.value], { type: 'text/plain' }));
    link.download = `${session.settings.game}-${session.settings.size}.${endings[format()]}`;
    link.click();
    URL.revokeObjectURL(link.href);
  });
  byId('save-copy').addEventListener('click', () => copy(text));
  byId('save').addEventListener('click', () => { open(dialog); write(); });
}

function setUpShare(session) {
  const dialog = byId('share-dialog'), text = byId('share-text');
  onSubmit(dialog, async () => copy(text));
  byId('share').addEventListener('click', () => {
    text.value = location.origin + location.pathname + encode(session.settings, GameTree.turns(session.tree.current), session.unfinished);
    open(dialog);
    text.select();
  });
}

function copy(field) {
  field.select();
  navigator.clipboard?.writeText(field.value).catch(() => {});
}

// The rules of the game on the board, as far as the page has words for it, and the keys.
function setUpHelp(session) {
  const dialog = byId('help-dialog');
  onSubmit(dialog, async () => {});
  byId('help').addEventListener('click', () => {
    byId('help-title').textContent = `${title(session.settings.game)} in a minute`;
    for (const rules of dialog.querySelectorAll('[data-rules]')) rules.hidden = rules.dataset.rules !== session.settings.game;
    open(dialog);
  });
}

// `opened` is called when another game has been loaded.
export function setUpDialogs(session, opened) {
  setUpOpen(session, opened);
  setUpSave(session);
  setUpShare(session);
  setUpHelp(session);
}
