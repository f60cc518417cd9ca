// What an opening book of the server says of the position on the board (`stigmergy serve --book`): the moves that it has
// tried, each with the fair komi after it. A click plays one. Without a book, and on another board, there is no panel.
//
// Events: `play`, and `read` by a first tap (detail: action).

import { post, isAbort } from './api.js';
import { komiText } from './dialogs.js';
import { makeRow } from './rows.js';
import { byId, html } from './svg.js';

// A fair komi: proved, or with its 95% interval. Of a bracket nothing but the ends is known.
const value = (one) => (one.bracket ? `(${one.ci95.map(komiText).join(', ')})` : komiText(one.fairKomi.toFixed(1)));
const told = (one) => (one.bracket ? `Between komi ${one.ci95.map(komiText).join(' and ')}; nothing more is known.` : '');
const range = (one) => (one.exact ? 'proved' : one.ci95.map((end) => komiText(end.toFixed(1))).join(' to '));

export class Book extends EventTarget {
  // `subject`: the game, the size and the parities of komi that the book is about; null if there is none.
  constructor(session, board, subject) {
    super();
    Object.assign(this, { session, board, subject });
    session.addEventListener('position', () => this.look());
  }

  // The server has this book now.
  take(subject) {
    this.subject = subject;
    if (this.session.position) this.look();
  }

  async look() {
    const { session, subject } = this, { settings, position } = session;
    const about = settings.game === subject?.game && settings.size === subject.size;
    byId('book-panel').hidden = !about;
    this.asking?.abort();
    this.tapped = null;
    this.asking = new AbortController();
    if (!about) return;
    try {
      const answer = await post('api/book', session.describe(), this.asking.signal);
      if (session.position === position) this.draw(answer.position);
    } catch (error) {
      if (!isAbort(error) && session.position === position) this.fail(error);
    }
  }

  // Nothing of another position stays. A server without a book, where there was one, knows no such request.
  fail({ status, message }) {
    byId('book-panel').hidden = status === 404;
    byId('book-value').textContent = '';
    byId('book-text').textContent = `The book does not answer: ${message}.`;
    byId('book-table').hidden = true;
    byId('book-moves').replaceChildren();
  }

  draw(found) {
    const { subject, session } = this, parity = session.settings.komi % 2 ? 'odd' : 'even', moves = found?.moves ?? [];
    byId('book-value').textContent = found ? `fair komi ${value(found)}${found.bracket ? '' : ` (${range(found)})`}` : '';
    byId('book-value').title = found ? told(found) : '';
    byId('book-text').textContent = found ? (moves.length ? '' : 'The book ends here.')
      : `Not in the book${subject.parities.includes(parity) ? '' : `, which has only ${subject.parities.join()} komi`}.`;
    byId('book-table').hidden = !moves.length;
    byId('book-panel').dataset.turn = String(session.tree.current.depth); // the turn that it is about
    byId('book-moves').replaceChildren(...moves.map((move, number) => this.row(move, number === 0)));
  }

  row(move, best) {
    const { board, session } = this, { action, alike } = move;
    const title = alike.length ? `${action}, and alike: ${alike.join(', ')}` : action;
    const row = html('tr', { tabindex: 0, class: best && 'best', title },
      html('td', {}, action), html('td', { title: told(move) || title }, value(move)), html('td', {}, move.bracket ? '' : range(move)),
      html('td', {}, String(move.games)), html('td', {}, `${Math.round(100 * move.probability)}%`));
    const tell = (event) => () => this.dispatchEvent(new CustomEvent(event, { detail: action }));
    return makeRow(row, board, { key: action, line: [action], colour: session.position.toMove, list: this, choose: tell('play'), read: tell('read') });
  }
}
