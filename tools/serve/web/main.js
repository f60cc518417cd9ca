// The page: puts the parts together and keeps what is around the board in step with the game.

import { connection, get } from './api.js';
import { Analysis, percent } from './analysis.js';
import { Background } from './background.js';
import { Board } from './board.js';
import { Book } from './book.js';
import { Chart } from './chart.js';
import { komiText, nameOf, saveGames, setUpDialogs } from './dialogs.js';
import { setUpDrop } from './drop.js';
import { setUpEdits } from './edits.js';
import { describe, setUpGames, setUpPlayers } from './games.js';
import { Graph } from './graph.js';
import { Clock } from './clock.js';
import { Introduction } from './intro.js';
import { costOf, lossOf, MISTAKE, rankOf } from './judge.js';
import { Learn } from './learn.js';
import { decode, decodeFound, encode } from './link.js';
import { NewGame } from './newgame.js';
import { Review } from './review.js';
import { Narrowing } from './narrow.js';
import { Narrator } from './narrator.js';
import { HUMAN, newId, reasonOf, Session } from './session.js';
import { Setup } from './setup.js';
import { sound } from './sounds.js';
import { COLOURS, onlyHuman, statusText } from './status.js';
import { keepGame, keepLook, keptGame, keptGames, keptLook, openKept } from './storage.js';
import { byId, hide, html, refill } from './svg.js';
import { GameTree } from './tree.js';
import { TreeView } from './treeview.js';
import { View } from './view.js';

const ACTION_NAMES = { pass: 'Pass', 'take-button': 'Take the button', swap: 'Swap colours' };

const TROUBLES = { // with the server
  gone: 'The server is gone. Trying again …',
  refused: 'The server was started anew and has a new address. Open the one that it prints: this browser has kept your game.',
};

const THINKING = 'The computer is thinking. Undo stops it.';

const session = new Session(), board = new Board(byId('board'));
const narrowing = new Narrowing(session, board), analysis = new Analysis(session, board, narrowing), review = new Review(session);
const background = new Background(session, analysis, review);
const clock = new Clock(session);
const learn = new Learn(session, review, board, () => { clock.wait('learn', learn.on); if (board.geometry) { drawNext(); analysis.draw(); } });
const graph = new Graph(session), treeView = new TreeView(session);
const chart = new Chart(session, (node) => { board.reveal(); return session.goTo(node); });
const setup = new Setup(session, board, () => session.letComputerPlay());
const view = new View(() => drawNumbers(), () => drawTurned());
const boards = new Map(); // the server's description of each size

// ---- What is around the board ----

// A message, and what can be done about it: `offers` {name: what it does}. It goes with the position that it is about,
// unless it `lasts` until somebody plays.
function say(text, { offers = {}, error = false, lasts = false } = {}) {
  said = { node: session.tree.current, unfinished: session.unfinished.length, over: session.over, lasts };
  refill(byId('message'), [text, ...Object.entries(offers).flatMap(([name, act]) => [' ', html('button', { class: 'small', onclick: () => { say(''); act(); } }, name)])]);
  byId('message').classList.toggle('error', error);
}

let said = {}; // what the message is about

function forget() {
  if (!said.lasts && (said.node !== session.tree.current || said.unfinished !== session.unfinished.length || said.over !== session.over)) say('');
}

let warned = false; // that the browser does not keep this game
let standIn = null; // the id of an empty game where this tab's own could not be opened: it does not take its place, nor its address
let homeless = []; // games that it has dropped to keep this one: until somebody has saved them, or does not want them

const isStandIn = () => session.id === standIn && !session.tree.root.children.length;

function keep() {
  if (isStandIn()) return;
  const { good, dropped } = keepGame(session), lost = !good && session.tree.root.children.length > 0;
  homeless.push(...dropped);
  if (lost && !warned) say('This browser keeps no games: its storage is full or switched off. Save the game to a file.', { error: true, offers: { Save: () => byId('save').click() } });
  else if (homeless.length) sayHomeless();
  warned = lost;
}

function sayHomeless() {
  const what = homeless.length === 1 ? `the oldest game: ${describe(homeless[0])}` : `the oldest ${homeless.length} games`;
  const games = homeless.map((kept) => Object.assign(new Session(), openKept(kept)));
  const forgetThem = () => { homeless = []; };
  say(`The browser's storage is full. It no longer keeps ${what}.`, {
    error: true, offers: { 'Save to a file': () => saveGames(games).then(forgetThem, (error) => say(error.message, { error: true })), 'Let go': forgetThem },
  });
}

// Out of a variation, to where it leaves the game; forward then leads through the game again.
function toGame() {
  const { tree } = session, { branch } = tree;
  if (!branch) return;
  return session.goTo(branch, tree.select(tree.game.at(-1)));
}

function drawPlayer(colour) {
  const { position } = session, card = byId(`player-${colour}`), player = session.playerOf(colour);
  card.classList.toggle('to-move', position.toMove === colour && !position.over);
  card.querySelector('.name').textContent = session.names[player] || COLOURS[colour];
  card.querySelector('.thinking').hidden = !(session.thinking && position.toMove === colour);
  const cells = position.score?.[colour === 'B' ? 'black' : 'white'];
  const komi = colour === 'W' && position.komi ? ` + ${position.komi}`.replace('+ -', '− ') : '';
  const points = card.querySelector('.points');
  points.hidden = cells === undefined;
  points.textContent = `${cells}${komi}${position.button === colour ? ' + ½' : ''}`;
  points.setAttribute('aria-label', `${cells} ${cells === 1 ? 'point' : 'points'}${komi && `, komi ${komiText(position.komi)}`}`);
  card.querySelector('.button-held').hidden = position.button !== colour;
}

function drawStatus() {
  const { position } = session;
  drawPlayer('B');
  drawPlayer('W');
  byId('status').textContent = statusText(session);
  byId('status').classList.toggle('over', position.over);
  byId('game-name').textContent = `${nameOf(session.settings)} · size ${position.size}`;
  byId('table-button').hidden = position.button !== 'table';
}

// What people do when a game is over.
function afterwards() {
  if (!session.over) return [];
  const reviewGame = () => { byId('review').click(); byId('review').focus(); };
  const offer = html('button', { onclick: reviewGame, 'data-offer': 'review' }, 'Review the game');
  return [...(review.isNew ? [offer] : []), html('button', { onclick: () => byId('new').click() }, 'New game')];
}

const isReviewOffered = () => Boolean(document.querySelector('[data-offer=review]'));

// The actions that are no cells, as buttons.
function drawActions() {
  const { position } = session, focused = document.activeElement, byKeyboard = focused.matches(':focus-visible');
  byId('actions').replaceChildren(...afterwards(), ...position.legal.filter((action) => action.cell === null).map(({ action }) =>
    html('button', { 'data-action': action, onclick: () => (narrowing.mode ? narrowing.toggle(action) : play(action)) }, ACTION_NAMES[action] ?? action)));
  byId('undo').disabled = !session.thinking && !session.undone && !session.unfinished.length && !session.tree.current.ended;
  byId('resign').disabled = position.over || setup.on || Boolean(session.tree.over && session.tree.current.favourite);
  byId('back').disabled = byId('first').disabled = !session.tree.current.parent;
  byId('forward').disabled = byId('last').disabled = !session.tree.current.favourite;
  hide(byId('resume'), session.seatToMove === HUMAN || Boolean(session.thinking));
  if (byKeyboard && (!focused.isConnected || focused.disabled)) board.svg.focus();
}

function drawChance() {
  const found = session.tree.current.analysis, bar = byId('chance');
  bar.hidden = !found;
  if (!found) return;
  byId('chance-black').style.width = `${100 * found.winrate}%`;
  byId('chance-B').textContent = `Black ${percent(found.winrate)}`;
  byId('chance-W').textContent = `White ${percent(1 - found.winrate)}`;
  bar.setAttribute('aria-label', `Chance to win: Black ${percent(found.winrate)}`);
}

// Dots on the stones of the turns that led here; where the last one is a mistake of the review, the better turn, too,
// unless the analysis shows what may follow.
function drawLosses() {
  const losses = new Map(); // by cell: the last turn there counts
  for (const node of isOn('losses') && !setup.on ? GameTree.path(session.tree.current) : []) {
    const cost = node.parent && costOf(node), cells = board.geometry.cellsOf(node.turn ?? '');
    for (const cell of cells) losses.delete(cell); // another stone, or another turn's
    if (cost && cells.length && session.position.stones[cells[0]] !== '.') losses.set(cells[0], cost.chance);
  }
  drawBetter();
  byId('loss-key').hidden = !isOn('losses') || !session.tree.game.some(costOf);
  board.showLosses([...losses].filter(([, loss]) => rankOf(loss) > 0).map(([cell, loss]) => ({ cell, loss })));
}

function drawBetter() {
  const cost = isOn('losses') && !setup.on && !analysis.on ? costOf(session.tree.current) : null;
  const better = cost?.checked && cost.chance >= MISTAKE ? cost.better : null;
  board.showBetter(better, cost?.colour);
  byId('better-key').hidden = !better || !board.geometry.cellsOf(better).length;
}

// Outlines of the turns that follow; who learns from a mistake sees that one alone.
function drawNext() {
  const { children, favourite } = session.tree.current, turns = learn.on ? children.filter((node) => node === learn.mistake) : children;
  const all = setup.on || session.unfinished.length ? [] : turns.map((node) => ({ cell: board.geometry.cellsOf(node.turn)[0], loss: lossOf(node), isGame: node === favourite }));
  const shown = all.filter(({ cell }) => cell !== undefined);
  board.showNext(shown);
  byId('next-key').hidden = !shown.length;
}

function drawNumbers() {
  if (board.geometry) board.showNumbers(setup.on ? [] : view.numbersOn(session, board.geometry));
}

function drawFindings() {
  if (board.geometry?.size !== session.position.size) return; // they come with the board
  drawChance();
  drawLosses();
  drawNext();
  graph.draw();
  chart.draw();
  treeView.draw();
}

function look(cell) {
  const line = byId('cell-text');
  if (cell === null || !board.position) {
    if (board.position) board.rest();
    line.textContent = `${matchMedia('(hover: none)').matches ? 'Tap' : 'Point at'} a cell to see what ${board.position?.sight ? 'it sees' : 'can be done there'}.`;
    return;
  }
  const again = board.armed === cell && board.legal.has(cell) ? ` Tap again to ${narrowing.mode ? 'choose it' : 'play'}.` : '';
  const text = `${board.describe(cell)}. ${setup.on || board.fresh ? '' : `${board.legal.has(cell) ? 'You may ' : 'Not possible: '}${board.explain(cell)}.`}${again}`;
  line.textContent = text;
  if (document.activeElement === board.svg) byId('spoken').textContent = text;
  board.showVariation(setup.on ? null : analysis.variationAt(cell), session.position.toMove);
}

// The link to what is on the board: `found` of the analysis, where it is to hold that, too.
function linkHere(found = null) {
  const { settings, unfinished, tree: { current } } = session;
  return encode(settings, GameTree.turns(current), unfinished, { ...narrowing.chosen, found, ended: current.ended, ...clock.inLink });
}

// Each entry of the browser's history knows the game that it shows. A browser may refuse to change the address many times in
// a few seconds, with an error or without; then it follows.
let addressLater, isNewEntry = false; // whether the next address is one more entry
function drawAddress() {
  if (isStandIn()) return;
  const link = linkHere(), state = { game: session.id };
  clearTimeout(addressLater);
  try {
    if (isNewEntry) history.pushState(state, '', link);
    else history.replaceState(state, '', link);
    isNewEntry = false;
  } catch { /* refused */ }
  if (new URL(link, location).href !== location.href) addressLater = setTimeout(drawAddress, 1000);
}

async function drawPosition() {
  const { position } = session;
  if (!boards.has(position.size)) boards.set(position.size, await get(`api/board/${position.size}`));
  if (session.position !== position) return;
  if (board.geometry?.size !== position.size) board.build(boards.get(position.size), view.turns);
  board.show(position);
  drawStatus();
  drawActions();
  drawNumbers();
  drawFindings();
  document.body.classList.toggle('no-points', position.score?.black === undefined);
  analysis.draw();
  look(board.pointed);
  const last = session.tree.current, told = session.unfinished.at(-1) ?? last.turn; // what was done last
  const status = byId('status').textContent; // that line is no live region: it would be said twice
  byId('spoken').textContent = told ? `${told}. ${status}` : status;
  keep();
  narrowing.draw();
  drawAddress();
  document.body.dataset.turn = String(last.depth);
}

// The board is built anew, turned; what was on it stays, also the stones of a set-up and the solution for who learns.
function drawTurned() {
  const { geometry, position, pinned } = board;
  if (!geometry) return;
  board.build(boards.get(geometry.size), view.turns);
  if (setup.on) board.show(position);
  else drawPosition();
  board.pinVariation(...pinned);
}

// ---- What people do ----

async function play(action) {
  say('');
  if (session.over || setup.on) return;
  if (session.thinking) return say(THINKING);
  if (session.going) return; // what was clicked is about the position before
  if (session.isComputers) return say("It is the computer's turn.", { offers: { 'Computer plays': () => session.letComputerPlay() } });
  const stone = board.expect(session.position.legal.find((legal) => legal.action === action));
  if (!await session.act(action)) return stone?.remove();
  if (learn.on) learn.judge();
  else session.letComputerPlay();
}

// Plays the moves that are chosen in a list.
function playFrom(list) {
  list.addEventListener('play', ({ detail }) => play(detail));
  list.addEventListener('read', ({ detail }) => {
    say(`How ${detail} goes on.`, { offers: { [`Play ${detail}`]: () => play(detail) } });
    board.reveal();
  });
}

function choose(cell) {
  if (setup.on) return setup.choose(cell);
  if (session.thinking) return say(THINKING);
  const action = board.legal.get(cell);
  if (!action) {
    const name = board.geometry.cells[cell].name;
    return session.over ? say('The game is over.') : say(`${name}: ${board.explain(cell)}.`, { error: true });
  }
  return narrowing.mode ? narrowing.toggle(action.action) : play(action.action);
}

const goTo = {
  first: () => session.goTo(session.tree.root),
  back: () => session.back(),
  forward: () => session.forward(),
  last: () => session.forward(Infinity),
  undo: () => session.undo(),
  resign: () => { if (!session.over) session.resign(); },
  'to-game': toGame,
  resume: () => session.letComputerPlay(),
};

function toggle(id, apply, on) {
  const button = byId(id);
  button.setAttribute('aria-pressed', on);
  apply(on);
}

const isOn = (id) => byId(id).getAttribute('aria-pressed') === 'true';
const toggles = {
  analyse: (on) => { analysis.switchOn(on); background.look(); if (board.geometry) drawLosses(); },
  heat: (on) => { analysis.switchHeat(on); if (on && !analysis.on) byId('analyse').click(); },
  losses: (on) => { keepLook({ ...keptLook(), losses: on }); if (board.geometry) drawLosses(); },
  patterns: (on) => { document.body.classList.toggle('patterns', on); keepLook({ ...keptLook(), patterns: on }); },
};

function setLook(theme) {
  document.documentElement.dataset.theme = theme;
  const text = `Light or dark: ${theme === 'auto' ? 'as the system' : theme}`;
  byId('look').title = text;
  byId('look').setAttribute('aria-label', text);
  keepLook({ ...keptLook(), theme });
}

// Passes or takes the button, or says why not.
function press(action) {
  const button = document.querySelector(`[data-action=${action}]`), { position } = session;
  if (button) return button.click();
  if (setup.on) return;
  if (session.over) return say('The game is over.');
  const what = action === 'pass' ? 'pass' : 'button';
  if (position.score?.black === undefined) return say(`This game has no ${what}.`, { error: true });
  if (what === 'pass') return say('You may pass only when every empty cell is controlled and no button is on the table.', { error: true });
  say(position.button ? 'The button is taken already.' : 'There is a button only with odd komi.', { error: true });
}

// Each click of the first round shows something: from the system's look to the other one.
function nextLook() {
  const [same, other] = matchMedia('(prefers-color-scheme: dark)').matches ? ['dark', 'light'] : ['light', 'dark'];
  setLook({ auto: other, [other]: same, [same]: 'auto' }[document.documentElement.dataset.theme]);
}

// The button does it, which is not there for those who are to find a better turn.
function goToMistake(which) {
  if (!document.body.classList.contains('learning')) byId(`${which}-mistake`).click();
}

const leading = { // to other turns, or changing them: not while a position is set up, which would be lost
  ArrowLeft: goTo.back, ArrowRight: goTo.forward, Home: goTo.first, End: goTo.last, u: goTo.undo, Backspace: goTo.undo,
  ArrowUp: () => session.sibling(-1), ArrowDown: () => session.sibling(1),
  '.': () => goToMistake('next'), ',': () => goToMistake('last'),
  PageUp: () => session.back(10), PageDown: () => session.forward(10),
  m: () => byId('learn').click(), f: () => byId('main-line').click(),
};
const keys = {
  ...leading,
  a: () => byId('analyse').click(), h: () => byId('heat').click(), r: () => byId('review').click(),
  n: () => byId('new').click(), g: () => byId('games').click(),
  o: () => byId('open').click(), s: () => byId('save').click(), l: () => byId('share').click(), '?': () => byId('help').click(),
  p: () => press('pass'), t: () => press('take-button'),
  e: () => byId('enlarge').click(), c: () => byId('board').focus(), v: () => byId('view').click(),
};

function pressed(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]')) return;
  // The field of a dialog that was just closed may still have the focus: the key is for the page all the same.
  if (event.target.matches('input, textarea, select') && !event.target.closest('dialog')) return;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key; // with Caps Lock on, too
  const action = keys[key];
  if (!action || (setup.on && key in leading)) return;
  event.preventDefault();
  action();
}

// The wheel over the board steps through the game; where it ends the page scrolls, as it does while a turn is begun or
// the computer thinks. A touchpad tells of many small turns of it.
const NOTCH = 60; // pixels
let wheeled = 0;

function wheel(event) {
  const { current } = session.tree, on = event.deltaY > 0;
  if (event.ctrlKey || !event.deltaY || setup.on || session.thinking || session.unfinished.length || !(on ? current.favourite : current.parent)) return;
  event.preventDefault();
  const pixels = event.deltaY * [1, 20, 400][event.deltaMode]; // or lines, or pages
  wheeled = pixels * wheeled < 0 ? pixels : wheeled + pixels;
  if (Math.abs(wheeled) < NOTCH) return;
  wheeled = 0;
  if (on) session.forward();
  else session.back();
}

// ---- The beginning ----

function connect() {
  board.addEventListener('choose', (event) => choose(event.detail));
  board.addEventListener('look', (event) => look(event.detail));
  session.addEventListener('position', () => { forget(); drawPosition(); });
  session.addEventListener('acted', ({ detail }) => { if (view.sounds) setTimeout(() => sound(detail, session.over)); }); // drawing comes first
  session.addEventListener('thinking', () => {
    if (!session.thinking && byId('message').textContent === THINKING) say('');
    if (session.position) { drawStatus(); drawActions(); }
  });
  session.addEventListener('message', (event) => say(event.detail, { lasts: session.seatToMove !== HUMAN })); // not gone with the computer's move
  session.addEventListener('refused', () => { drawActions(); drawFindings(); });
  session.addEventListener('error', (event) => say(event.detail, { error: true }));
  connection.addEventListener('gone', ({ detail }) => { byId('connection').textContent = `${TROUBLES[detail]}${clock.running ? ' The clocks stand still.' : ''}`; });
  for (const kind of ['gone', 'back']) connection.addEventListener(kind, () => { byId('connection').hidden = kind === 'back'; });
  session.addEventListener('game', () => { say(''); warned = false; });
  session.addEventListener('leave', () => { clock.keep(); keep(); }); // with what analysis has found
  setup.addEventListener('change', () => { analysis.hold(setup.on); clock.wait('set-up', setup.on); drawNumbers(); drawLosses(); drawNext(); });
  narrowing.addEventListener('change', drawAddress);
  narrowing.addEventListener('mode', () => { if (narrowing.mode && !analysis.on) byId('analyse').click(); });
  analysis.addEventListener('update', () => { drawFindings(); review.drawAccuracy(); });
  playFrom(analysis);
  background.addEventListener('update', () => { drawFindings(); review.draw(); });
  review.addEventListener('update', () => { drawFindings(); analysis.draw(); if (session.over && review.isNew !== isReviewOffered()) drawActions(); });
  review.addEventListener('again', () => {
    say(`Try again: ${COLOURS[session.position.toMove]} to move.`);
    board.reveal();
    if (byId('mistakes').querySelector(':focus-visible')) board.svg.focus();
  });
  for (const [id, action] of Object.entries(goTo)) byId(id).addEventListener('click', action);
  for (const [id, apply] of Object.entries(toggles)) byId(id).addEventListener('click', () => toggle(id, apply, !isOn(id)));
  for (const id of ['mistakes', 'graph', 'tree', 'variations']) // they lead to positions
    byId(id).addEventListener('click', (event) => { if (event.target.closest('button, .turn, #graph')) board.reveal(); });
  byId('look').addEventListener('click', nextLook);
  byId('comment').addEventListener('change', () => { keep(); treeView.draw(); });
  document.addEventListener('keydown', pressed);
  board.svg.addEventListener('wheel', wheel, { passive: false });
  window.addEventListener('pageshow', ({ persisted }) => { if (persisted) clock.restart(); }); // the browser held the page
  window.addEventListener('pagehide', () => { clock.keep(); if (session.position && !isStandIn()) keepGame(session, { drop: false }); });
  window.addEventListener('hashchange', async () => { if (await openLink()) letComputerGoOn(); });
}

// The position of a link, as a game for `session.start`.
function gameOf(linked) {
  const tree = new GameTree();
  let node = tree.root;
  for (const turn of linked.turns) node = tree.add(node, turn);
  tree.select(node);
  node.ended = linked.ended;
  tree.clock = linked.clock;
  node.clocks = linked.left;
  return { settings: linked.settings, tree, unfinished: linked.unfinished };
}

// The kept game to which the browser's Back or Forward led: that of this entry, where it still stands as the link says.
function keptOf(linked) {
  const kept = openKept(keptGames().find(({ id }) => id === history.state?.game));
  return kept && positionOn(kept) === positionOf(linked) ? kept : null;
}

// Opens the position of a link; false where another game was asked for meanwhile.
async function follow(linked, game = gameOf(linked)) {
  try {
    if (!isHere(linked) && !await session.start(game.settings, game.tree, game)) return false;
  } catch (error) {
    throw new Error(`The link holds no position: ${reasonOf(error)}`);
  }
  takeAnalysis(linked);
  return true;
}

// Opens what the address says, where that is a position.
async function openLink() {
  const linked = decode(location.hash);
  if (!linked) return false;
  try {
    if (!await follow(linked, keptOf(linked) ?? undefined)) return false;
    document.querySelector('dialog[open]')?.close(); // it was about what was here before
    return true;
  } catch (error) {
    if (session.position) drawAddress(); // that of the board again
    say(error.message, { error: true });
    return false;
  }
}

// Opens a link that was pasted; the browser's Back leads to the game before. The address follows when the board is drawn.
async function openPasted(linked) {
  isNewEntry = !isHere(linked);
  let followed = false;
  try {
    followed = await follow(linked);
  } finally {
    isNewEntry &&= followed;
  }
}

// What makes two links the same position: of a game that was kept, or of a link.
const positionOf = ({ settings, turns, unfinished, ended }) => encode(settings, turns, unfinished, { ended });
const positionOn = ({ settings, tree, unfinished }) => positionOf({ settings, turns: GameTree.turns(tree.current), unfinished, ended: tree.current.ended });

function isHere(linked) {
  return session.position && positionOf(linked) === positionOn(session);
}

// What a link says about the analysis of its position. What was found is shown; the search goes on where one asks for it.
function takeAnalysis(linked) {
  const { current } = session.tree, found = linked.found && decodeFound(linked.found, session.position.toMove);
  narrowing.take(linked);
  if (!found) return;
  if (!(current.analysis?.sims >= found.sims)) current.analysis = found;
  analysis.linked = current;
  analysis.draw();
  drawFindings();
}

// A game was opened; `file`: which one of how many, where it comes from a file (dialogs.js). Others can be opened then.
// Null: another game came first.
function opened(file = { number: 1, games: 1 }) {
  if (!file) return;
  const { number, games } = file, { outcome } = session.tree;
  const which = games > 1 ? ` It is game ${number} of ${games} in this file.` : '';
  say(`The game is open.${outcome ? ` Result: ${outcome}.` : ''}${which}`, { lasts: games > 1, offers: nextOf(file) });
  keep(); // with its result
}

// What opens the next game of a file. Where that one cannot be read, the one after it can be.
function nextOf({ number, games, open }) {
  if (number >= games) return {};
  const next = { number: number + 1, games, open };
  const failed = ({ message }) => say(`Game ${next.number}: ${message}`, { error: true, lasts: true, offers: nextOf(next) });
  return { 'Next game': () => open(next.number).then(opened, failed) };
}

// The server is back: it may be another one, with another book or none, or of another version than the page.
async function meet(book, version) {
  try {
    const description = await get('api/setup');
    book.take(description.book);
    if (description.version !== version)
      say(`This page is of version ${version}, the server of ${description.version}.`, { error: true, lasts: true, offers: { 'Reload the page': () => location.reload() } });
  } catch ({ message }) {
    say(message, { error: true });
  }
}

// The effort of a review is as it was chosen last.
function keepEffort(effort) {
  const select = byId('review-limit');
  if ([...select.options].some(({ value }) => value === effort)) select.value = effort;
  select.addEventListener('change', () => keepLook({ ...keptLook(), effort: select.value }));
}

// A new game against the computer begins without hints.
function begun() {
  if (onlyHuman(session) && analysis.on) byId('analyse').click();
  session.letComputerPlay();
}

// The computer goes on where it was to move; its clock runs there, too.
function letComputerGoOn() {
  if (session.isComputers) session.letComputerPlay();
}

// The introduction is reached from the page's start, for the game chosen there, and from the rules.
function setUpIntroduction(newGame) {
  const introduction = new Introduction((game) => newGame.open(game));
  for (const [id, game] of [['new', () => byId('new-game').value], ['help', () => session.settings.game]])
    byId(`${id}-intro`).addEventListener('click', () => {
      byId(`${id}-dialog`).close();
      newGame.offer('new-start');
      introduction.open(game(), () => byId(id).click());
    });
}

async function begin() {
  const look = keptLook(), description = await get('api/setup');
  const newGame = new NewGame(session, description, begun);
  setUpIntroduction(newGame);
  setLook(look.theme ?? 'auto');
  for (const id of ['patterns', 'losses']) toggle(id, toggles[id], look[id] ?? true);
  keepEffort(look.effort);
  const share = () => linkHere(session.unfinished.length || narrowing.active ? null : session.tree.current.analysis);
  session.levels = description.levels;
  setUpDialogs(session, board, share, opened, openPasted);
  setUpEdits(session);
  setUpDrop(session, opened, (text) => say(text, { error: true }));
  setUpGames(session, () => { opened(); letComputerGoOn(); });
  setUpPlayers(session, description.levels, () => { drawPosition(); session.letComputerPlay(); });
  const book = new Book(session, board, description.book);
  playFrom(book);
  connection.addEventListener('back', () => meet(book, description.version));
  new Narrator(analysis);
  connect();
  const kept = keptGame(), linked = decode(location.hash);
  const same = kept && linked && positionOf(linked) === positionOn(kept), followed = !same && await openLink();
  let trouble = byId('message').textContent;
  if (!followed && kept) {
    await session.start(kept.settings, kept.tree, kept).catch((error) => {
      trouble ||= `The game of this tab cannot be opened: ${reasonOf(error)}`;
      standIn = newId();
    });
  }
  if (same && session.position) takeAnalysis(linked);
  if (!session.position) {
    const { book, games: [usual] } = description, odd = book && !book.parities.includes('even');
    await session.start({ game: book?.game ?? usual.name, size: book?.size ?? newGame.sizeOf(usual), komi: odd ? 1 : 0 }, undefined, { id: standIn });
    if (!trouble && !book) newGame.open();
  }
  say(trouble, { error: true });
  letComputerGoOn();
  document.body.dataset.ready = 'true';
}

begin().catch((error) => say(`The page cannot start: ${error.message}`, { error: true }));
