// The games that this browser has kept, to open or to delete; and who plays a game from here on.

import { ClockForm } from './clockform.js';
import { nameOf, onSubmit, open } from './dialogs.js';
import { encodeClock } from './link.js';
import { HUMAN } from './session.js';
import { dropGame, keepAgain, keptGames, openKept } from './storage.js';
import { byId, html } from './svg.js';

const dates = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

// A kept game in a line.
export function describe({ settings, names, nodes, result }) {
  const players = names.B || names.W ? `${names.B || 'Black'} – ${names.W || 'White'}` : 'two people';
  const komi = settings.komi ? `, komi ${settings.komi}` : '';
  const turns = nodes.length === 1 ? '1 turn' : `${nodes.length} turns`;
  return `${nameOf(settings, settings.size)}${komi} · ${players} · ${turns}${result ? ` · ${result}` : ''}`;
}

export function setUpGames(session, opened) {
  const dialog = byId('games-dialog'), list = byId('games-list');

  function row(kept) {
    const line = html('li', {});
    const show = async () => {
      const game = openKept(kept);
      dialog.close();
      await session.start(game.settings, game.tree, game);
      opened();
    };
    const remove = () => {
      dropGame(kept.id);
      line.replaceChildren(html('span', {}, 'Deleted. '), html('button', { type: 'button', class: 'small', onclick: restore }, 'Bring it back'));
    };
    const restore = () => { keepAgain(kept); fill(); };
    const fill = () => line.replaceChildren(
      html('button', { type: 'button', class: 'game-of', onclick: show }, html('b', {}, describe(kept)), html('small', {}, dates.format(kept.when))),
      html('button', { type: 'button', class: 'small', title: 'Delete this game', 'aria-label': `Delete: ${describe(kept)}`, onclick: remove }, '×'));
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

// Who plays each colour from here on, a person or the computer on a level, and with what clock.
export function setUpPlayers(session, levels, settled) {
  const dialog = byId('players-dialog'), clockForm = new ClockForm(byId('players-clock')), selects = { B: byId('players-B'), W: byId('players-W') };
  for (const select of Object.values(selects))
    select.replaceChildren(html('option', { value: HUMAN }, 'a person'), ...levels.map(({ level, name, elo }) =>
      html('option', { value: level }, `the computer: ${level} · ${name} (Elo ${elo})`)));
  onSubmit(dialog, async () => {
    const clock = clockForm.read();
    session.stopThinking();
    if ((clock && encodeClock(clock)) !== (session.clock && encodeClock(session.clock))) session.setClock(clock);
    for (const player of ['B', 'W']) {
      const before = session.seats[player], seat = Number(selects[player].value);
      session.seats[player] = seat;
      if (seat !== before || seat !== HUMAN) session.names[player] = seat === HUMAN ? '' : levels[seat - 1].title;
      if (seat !== before) session.moveTime = 0;
    }
    settled();
  });
  byId('players').addEventListener('click', () => {
    for (const player of ['B', 'W']) selects[player].value = session.seats[player];
    clockForm.show(session.clock, session.tree.clock);
    open(dialog);
  });
}
