// The games that this browser has kept, to open or to delete; and who plays a game from here on.

import { ClockForm } from './clockform.js';
import { komiText, nameOf, onSubmit, open } from './dialogs.js';
import { encodeClock } from './link.js';
import { computerName, readSeconds } from './newgame.js';
import { HUMAN, reasonOf } from './session.js';
import { dropGame, isOwn, keepAgain, keptGames, openKept } from './storage.js';
import { byId, html, refill } from './svg.js';

const dates = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

// A kept game in a line. The players are named by the colours that they have at its end, as the result is; older pages
// kept no count of turns, and not whether there was a swap.
export function describe({ settings, names, nodes, turns: count = nodes.length, swapped = false, result }) {
  const [black, white] = swapped ? [names.W, names.B] : [names.B, names.W];
  const players = black || white ? `${black || 'Black'} – ${white || 'White'}` : 'two people';
  const komi = settings.komi ? `, komi ${komiText(settings.komi)}` : '';
  const turns = count === 1 ? '1 turn' : `${count} turns`;
  return `${nameOf(settings, settings.size)}${komi} · ${players} · ${turns}${result ? ` · ${result}` : ''}`;
}

export function setUpGames(session, opened) {
  const dialog = byId('games-dialog'), list = byId('games-list');

  function row(kept) {
    const line = html('li', {});
    const show = async () => {
      const game = openKept(kept), isHere = kept.id === session.id && isOwn(session);
      dialog.close();
      try {
        if (isHere || await session.start(game.settings, game.tree, game)) opened();
      } catch (error) {
        session.emit('error', `This game cannot be opened: ${reasonOf(error)}`);
      }
    };
    const remove = () => {
      dropGame(kept.id);
      if (kept.id === session.id) session.deleted = session.tree.all().length;
      refill(line, [html('span', {}, 'Deleted. '), html('button', { type: 'button', class: 'small', onclick: restore }, 'Bring it back')]);
    };
    const restore = () => {
      keepAgain(kept);
      if (kept.id === session.id) session.deleted = null;
      fill();
    };
    const fill = () => refill(line, [
      html('button', { type: 'button', class: 'game-of', onclick: show }, html('b', {}, describe(kept)), html('small', {}, dates.format(kept.when))),
      html('button', { type: 'button', class: 'small', title: 'Delete this game', 'aria-label': `Delete: ${describe(kept)}`, onclick: remove }, '×'),
    ]);
    fill();
    return line;
  }

  onSubmit(dialog, async () => {});
  byId('games').addEventListener('click', () => {
    const games = keptGames();
    byId('no-games').hidden = games.length > 0;
    list.replaceChildren(...games.map(row));
    open(dialog);
  });
}

const BY_TIME = 'time', USUAL_SECONDS = 3; // in the place of a level

// Who plays each colour from here on, a person or the computer on a level or by time, and with what clock. The colours are
// those of the position, which a swap has changed for both players.
export function setUpPlayers(session, levels, settled) {
  const dialog = byId('players-dialog'), clockForm = new ClockForm(byId('players-clock')), selects = { B: byId('players-B'), W: byId('players-W') };
  let players; // by colour, as the dialog shows them
  const refresh = () => { byId('players-time').hidden = !Object.values(selects).some(({ value }) => value === BY_TIME); };
  for (const select of Object.values(selects)) {
    select.replaceChildren(html('option', { value: HUMAN }, 'a person'), ...levels.map(({ level, name, elo }) =>
      html('option', { value: level }, `the computer: ${level} · ${name} (Elo ${elo})`)), html('option', { value: BY_TIME }, 'the computer: seconds a move'));
    select.addEventListener('change', refresh);
  }
  onSubmit(dialog, async (data) => {
    const clock = clockForm.read(), wanted = (colour) => (selects[colour].value === BY_TIME ? readSeconds(data.get('time')) : 0);
    const times = { B: wanted('B'), W: wanted('W') };
    session.stopThinking();
    if ((clock && encodeClock(clock)) !== (session.clock && encodeClock(session.clock))) session.setClock(clock);
    for (const [colour, player] of Object.entries(players)) {
      const before = session.seats[player], seat = times[colour] ? levels.length : Number(selects[colour].value);
      session.seats[player] = seat;
      session.moveTimes[player] = times[colour];
      if (seat !== HUMAN) session.names[player] = computerName(levels, seat, times[colour]);
      else if (before !== HUMAN) session.names[player] = '';
    }
    settled();
  });
  byId('players').addEventListener('click', () => {
    const { seats, moveTimes } = session;
    players = session.byColour({ B: 'B', W: 'W' });
    for (const [colour, player] of Object.entries(players)) selects[colour].value = moveTimes[player] ? BY_TIME : seats[player];
    dialog.querySelector('[name=time]').value = moveTimes.B || moveTimes.W || USUAL_SECONDS;
    clockForm.show(session.clock, session.tree.clock);
    refresh();
    open(dialog);
  });
}
