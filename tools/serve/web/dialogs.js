// The dialogs for keeping games and sharing positions: open, save, link, help.

import { post } from './api.js';
import { takeTimeLeft, timeLeft } from './clock.js';
import { cellCount } from './geometry.js';
import { VARIANTS, decode, variantOf } from './link.js';
import { pictureOf } from './picture.js';
import { GameTree } from './tree.js';
import { byId, html } from './svg.js';

// A game's name for people; with its variant, and with a size where one is given.
export const title = (game) => game[0].toUpperCase() + game.slice(1);
const PIES = { on: ' with the pie rule', off: ' without the pie rule' }, CAPTURES = { line: ', captures in a line' };
export const nameOf = ({ game, pie, capture }, size = '') => `${title(game)}${size && ` ${size}`}${PIES[pie] ?? ''}${CAPTURES[capture] ?? ''}`;

// Komi as people write it.
export const komiText = (komi) => String(komi).replace('-', '−');

const endings = { sgf: 'sgf', record: 'json', list: 'txt', state: 'json', svg: 'svg', png: 'png' };
const FILE_MAX = 2 ** 23 - 1024; // bytes: the server reads 8 MiB, with what else is said

// A game that the server has read, as settings and tree of a session.
function fromServer(loaded) {
  const { game, size, komi, initialStones, initialPlayer } = loaded;
  const settings = { game, size, komi, initialStones, initialPlayer, ...variantOf(loaded) };
  const clock = loaded.clock ?? null;
  let end; // where turns follow it
  const tree = GameTree.fromList(loaded.nodes, loaded.comment, loaded.root, (node, item) => {
    takeTimeLeft(node, item, clock, initialPlayer);
    if (item.ends) end = node;
  });
  tree.conclude(loaded.result, end);
  tree.claim(tree.end); // the first variation: what one tries beside it is none of the game
  tree.clock = clock;
  tree.date = loaded.date;
  return { settings, tree, names: { B: loaded.black, W: loaded.white } };
}

// A file has one result, that of its first variation: where the line that is played has one, it comes first. It `ends` at a
// turn that others follow.
async function toText(session, format) {
  const { names, settings, tree } = session, clock = session.clock ?? tree.clock, { end } = tree;
  const ends = (node) => (node === end && node.children.length ? { ends: true } : {});
  const nodes = tree.toList(tree.result !== '', (node) => ({ ...(clock ? timeLeft(node, settings.initialPlayer) : {}), ...ends(node) }));
  const request = session.describe(tree.root, []);
  delete request.moves;
  const { text } = await post('api/save', {
    ...request, format, black: names.B, white: names.W, date: tree.date,
    result: tree.result, ...(clock ? { clock } : {}), comment: tree.root.comment, root: { ...GameTree.findings(tree.root), ...ends(tree.root) }, nodes,
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

// Everything that a dialog's form does: an error stays in the dialog, success closes it. Who closes the dialog before that,
// or submits it once more, gives up what is under way: its signal aborts.
export function onSubmit(dialog, action) {
  const form = dialog.querySelector('form'), message = dialog.querySelector('.error');
  let attempt = null;
  dialog.addEventListener('close', () => attempt?.abort());
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    message.textContent = '';
    attempt?.abort();
    const { signal } = attempt = new AbortController();
    try {
      await action(new FormData(form), event.submitter, signal);
      if (!signal.aborted) dialog.close();
    } catch (error) {
      if (signal.aborted) return;
      message.textContent = error.message;
      message.scrollIntoView({ block: 'nearest' });
    }
  });
  for (const button of dialog.querySelectorAll('[data-close]')) button.addEventListener('click', () => dialog.close());
}

// Where the button that opened it is gone when it closes, the keyboard goes on at the board.
export function open(dialog) {
  const byKeyboard = document.activeElement.matches(':focus-visible'), isLost = (focused) => focused === document.body || dialog.contains(focused);
  dialog.querySelector('.error')?.replaceChildren();
  dialog.showModal();
  dialog.addEventListener('close', () => { if (byKeyboard && isLost(document.activeElement)) byId('board').focus(); }, { once: true });
  dialog.scrollTop = 0; // the button that takes the focus may be at the end
}

// A list of moves that does not begin with komi gets the one on the screen.
const withKomi = (text, komi) => (komi && /^\s*(\d+[.)]\s*)?([a-z]\d+|pass|take-button|button)\b/i.test(text) ? `${komi} ${text}` : text);

// The server calls what it reads `text`: people know what they have opened.
const plain = ({ message }) => { throw new Error(message.replace(/^text: /, '')); };

function checkSize({ size }) {
  if (size > FILE_MAX) throw new Error('this is larger than 8 MiB, expected a game');
}

// Opens a game that is given as text, the first one where there are several. Returns which it is of how many `games`, and
// what opens the one with a number; null where another game was asked for meanwhile.
async function openText(session, text, number = 1, signal = null) {
  checkSize(new Blob([JSON.stringify(text)])); // as it is sent
  if (text.includes('\0')) throw new Error('this is no text, expected a game');
  const { game, size, komi } = session.settings; // of a list of moves, which names none of them
  const request = { text: withKomi(text, komi), game, size, ...variantOf(session.settings), number };
  const { games = 1, ...loaded } = await post('api/load', request, signal).catch(plain);
  const { settings, tree, names } = fromServer(loaded);
  if (!await session.start(settings, tree, { seats: session.seatsOf(names), names, signal })) return null;
  await session.findResult();
  return { number, games, open: (other) => openText(session, text, other) };
}

function decodeUtf8(bytes, otherwise) {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return otherwise();
  }
}

// The text of a file. Bytes that are not UTF-8 count as ISO 8859-1, as where the program itself reads a file; it may
// have games of both kinds.
async function textOf(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  return decodeUtf8(bytes, () => {
    const letters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
    return letters.replace(/[\x80-\xff]+/g, (run) => decodeUtf8(Uint8Array.from(run, (letter) => letter.charCodeAt(0)), () => run));
  });
}

// Opens a game that is given as a file, as text is; an error names the file.
export async function openFile(session, file) {
  try {
    checkSize(file);
    return await openText(session, await textOf(file));
  } catch (error) {
    throw new Error(`${file.name}: ${error.message}`);
  }
}

function setUpOpen(session, opened, openLink) {
  const dialog = byId('open-dialog'), text = byId('open-text'), message = dialog.querySelector('.error');
  byId('open-file').addEventListener('change', async ({ target }) => {
    const [file] = target.files;
    message.textContent = '';
    try {
      if (file) checkSize(file);
      if (file) text.value = await textOf(file);
    } catch (error) {
      message.textContent = `${file.name}: ${error.message}`;
    }
    target.value = ''; // the same file may be chosen again when it has changed
  });
  onSubmit(dialog, async (data, button, signal) => {
    const [link] = text.value.match(/^\s*\S*(#game=\S+)\s*$/)?.slice(1) ?? [];
    const linked = link && decode(link);
    if (link && !linked) throw new Error('This link names no board: it is not whole.');
    if (linked) await openLink(linked);
    else opened(await openText(session, text.value, 1, signal));
  });
  byId('open').addEventListener('click', () => { text.value = ''; open(dialog); });
}

function download(file, name) {
  const link = html('a', { href: URL.createObjectURL(file), download: name });
  link.click();
  URL.revokeObjectURL(link.href);
}

// Saves games that are not on the board: one file, a game after the other.
export async function saveGames(sessions) {
  const texts = [];
  for (const session of sessions) texts.push(await toText(session, 'sgf'));
  download(new Blob(texts, { type: 'text/plain' }), 'stigmergy-games.sgf');
}

function setUpSave(session, board) {
  const dialog = byId('save-dialog'), text = byId('save-text'), picture = byId('save-picture'), message = dialog.querySelector('.error');
  const format = () => new FormData(dialog.querySelector('form')).get('format');
  const isPicture = () => ['svg', 'png'].includes(format());
  let file = null; // what is to be saved
  let writings = 0; // counted, so that a late text does not replace what was asked for after it
  const write = async () => {
    const { settings, tree } = session, wanted = format(), number = ++writings;
    file = null;
    message.textContent = text.value = '';
    text.placeholder = 'Waiting for the text…';
    byId('save-copy').textContent = 'Copy';
    URL.revokeObjectURL(picture.src);
    text.hidden = byId('save-copy').hidden = isPicture();
    picture.hidden = byId('save-file').disabled = byId('save-copy').disabled = true;
    let made = null, words = '', trouble = '';
    try {
      if (isPicture()) made = await pictureOf(board.svg, wanted, `${nameOf(settings)}, size ${settings.size}, turn ${tree.current.depth}`);
      else made = new Blob([words = await toText(session, wanted)], { type: 'text/plain' });
    } catch (error) {
      trouble = error.message;
    }
    if (number !== writings) return;
    [file, text.value, text.placeholder, message.textContent] = [made, words, '', trouble];
    if (file && isPicture()) picture.src = URL.createObjectURL(file);
    picture.hidden = !file || !isPicture();
    byId('save-file').disabled = byId('save-copy').disabled = !file;
  };
  for (const radio of dialog.querySelectorAll('[name=format]')) radio.addEventListener('change', write);
  onSubmit(dialog, async () => {
    const { game, size } = session.settings;
    download(file, `${game}-${size}${isPicture() ? `-${session.tree.current.depth}` : ''}.${endings[format()]}`);
  });
  byId('save-copy').addEventListener('click', async () => {
    await copy(text).then(() => { byId('save-copy').textContent = 'Copied'; }, (error) => { message.textContent = error.message; });
  });
  byId('save').addEventListener('click', () => { open(dialog); write(); });
}

// Who can follow a link of this page.
function reachOf({ hostname }) {
  if (document.documentElement.dataset.engine === 'worker') return '';
  if (/^(localhost|127\..*|\[::1\])$/.test(hostname)) return 'It opens on this computer, while the program runs. For others, save the game.';
  return 'It opens where this page can be reached, and has the secret of its address in it.';
}

function setUpShare(session, link) {
  const dialog = byId('share-dialog'), text = byId('share-text');
  onSubmit(dialog, async () => {
    await copy(text);
    session.emit('message', 'The link is copied.');
  });
  byId('share-note').textContent = reachOf(location);
  byId('share').addEventListener('click', () => {
    text.value = location.origin + location.pathname + link();
    open(dialog);
    text.select();
  });
}

// Copies a field. A page from another machine has no clipboard (no secure context): there the old command may do.
async function copy(field) {
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
  } catch {
    if (!document.execCommand('copy')) throw new Error('This browser lets no page copy. The text is selected: Ctrl+C copies it.');
  }
}

// The rules of the game on the board, as far as the page has words for it, and the keys.
function setUpHelp(session) {
  const dialog = byId('help-dialog');
  onSubmit(dialog, async () => {});
  byId('help').addEventListener('click', () => {
    const { settings } = session;
    byId('help-title').textContent = `${nameOf(settings)} in a minute`;
    for (const rules of dialog.querySelectorAll('[data-rules]')) rules.hidden = rules.dataset.rules !== settings.game;
    for (const key of VARIANTS) // rules of a variant
      for (const rule of dialog.querySelectorAll(`[data-${key}]`)) rule.hidden = !rule.dataset[key].split(' ').includes(settings[key] ?? 'usual');
    open(dialog);
  });
}

// `link` makes the link to what is on the board; `opened` is called when another game has been loaded, with what
// `openText` returns; `openLink` opens a link (link.js).
export function setUpDialogs(session, board, link, opened, openLink) {
  setUpOpen(session, opened, openLink);
  setUpSave(session, board);
  setUpShare(session, link);
  setUpHelp(session);
}
