// The clock in a form: its kind, and the times that belong to that. A clock is as in clock.js.

import { readNumber } from './dialogs.js';
import { html } from './svg.js';

const KINDS = { '': 'none', byoyomi: 'main time, then byo-yomi', increment: 'main time and an increment (Fischer)' };
const FIELDS = { // name -> [usual value, least, most, name for errors and screen readers]
  minutes: [10, 0, 600, 'Minutes of the clock'],
  periods: [3, 1, 100, 'Periods of byo-yomi'],
  byoyomi: [30, 0, 3600, 'Seconds a turn of the clock'],
  increment: [10, 0, 3600, 'Seconds of the increment'],
};

export class ClockForm {
  // Fills a fieldset.
  constructor(fieldset) {
    this.kind = html('select', { name: 'clock', 'aria-label': 'Kind of clock' }, ...Object.entries(KINDS).map(([value, text]) => html('option', { value }, text)));
    this.fields = Object.fromEntries(Object.entries(FIELDS).map(([name, [value, min, max, label]]) =>
      [name, html('input', { name, type: 'number', min, max, step: name === 'periods' ? 1 : 'any', value, 'aria-label': label })]));
    const { minutes, periods, byoyomi, increment } = this.fields;
    this.parts = {
      main: html('label', {}, minutes, 'minutes each'),
      byoyomi: html('span', { class: 'row' }, 'then', periods, 'times', byoyomi, 'seconds a turn'),
      increment: html('label', {}, 'and', increment, 'seconds more after each turn'),
    };
    fieldset.append(this.kind, ...Object.values(this.parts));
    this.kind.addEventListener('change', () => this.refresh());
    this.refresh();
  }

  refresh() {
    const { value } = this.kind;
    for (const [name, part] of Object.entries(this.parts)) part.hidden = value !== name && (name !== 'main' || !value);
  }

  // Shows a clock, or none: then `usual` is what is offered.
  show(clock, usual) {
    const { main, byoyomi, periods, increment } = clock ?? usual ?? {};
    this.kind.value = !clock ? '' : clock.increment ? 'increment' : 'byoyomi';
    const values = main === undefined ? {} : { minutes: Number((main / 60).toFixed(6)), ...(increment ? { increment } : { byoyomi, periods: Math.max(1, periods) }) };
    for (const [name, value] of Object.entries(values)) this.fields[name].value = value;
    this.refresh();
  }

  number(name) {
    const [, least, most, what] = FIELDS[name];
    return readNumber(this.fields[name].value, what, least, most);
  }

  // The clock, or null for none; an error in words where a number is wrong.
  read() {
    const kind = this.kind.value, clock = { main: 0, byoyomi: 0, periods: 1, increment: 0 };
    if (!kind) return null;
    clock.main = Math.round(60000 * this.number('minutes')) / 1000; // minutes are rounded where they are shown
    clock[kind] = this.number(kind);
    if (kind === 'byoyomi') clock.periods = this.number('periods');
    if (!Number.isInteger(clock.periods)) throw new Error('Periods of byo-yomi: expected a whole number.');
    if (clock.main + clock[kind] === 0) throw new Error('The clock has no time: expected minutes, or seconds a turn.');
    return clock;
  }
}
