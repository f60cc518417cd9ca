// Lines of sight: from a cell to the first stone along each of its six lines, and how many of each colour it sees of
// how many it needs. What is seen the server says; here it is only drawn.

import { element } from './svg.js';

// The parts to draw for a cell, none where the game has no sight. `counts`: with a plate of numbers beside the cell.
export function sightLines(geometry, position, number, counts = true) {
  const sight = position.sight?.[number];
  if (!sight) return [];
  const from = geometry.cells[number], parts = [];
  const count = { B: 0, W: 0 };
  for (const at of sight.seen) {
    const to = geometry.cells[at], colour = position.stones[at];
    const length = Math.hypot(to.x - from.x, to.y - from.y), short = (length - 0.78) / length;
    count[colour]++;
    parts.push(
      element('line', { x1: from.x, y1: from.y, x2: from.x + (to.x - from.x) * short, y2: from.y + (to.y - from.y) * short, class: 'ray-edge' }),
      element('line', { x1: from.x, y1: from.y, x2: from.x + (to.x - from.x) * short, y2: from.y + (to.y - from.y) * short, class: `ray ray-${colour}` }),
      element('circle', { cx: to.x, cy: to.y, r: 0.82, class: 'seen-edge' }),
      element('circle', { cx: to.x, cy: to.y, r: 0.82, class: `seen seen-${colour}` }));
  }
  if (counts) parts.push(...tally(platePlace(geometry, from, sight.seen), count, sight.needed));
  return parts;
}

// Where the plate covers no stone that is seen, and stays on the picture.
function platePlace(geometry, from, seen) {
  const { x, y, width, height } = geometry.viewBox;
  const covered = (at) => seen.filter((number) => {
    const stone = geometry.cells[number];
    return Math.abs(stone.x - at.x) < 2.2 && Math.abs(stone.y - at.y) < 1.4;
  }).length + (at.x < x + 1.6 || at.x > x + width - 1.6 || at.y < y + 0.7 || at.y > y + height - 0.7 ? 9 : 0);
  const places = [[0, 1.75], [0, -1.75], [2.6, 0], [-2.6, 0], [2.1, 1.6], [-2.1, 1.6], [2.1, -1.6], [-2.1, -1.6]]
    .map(([dx, dy]) => ({ x: from.x + dx, y: from.y + dy }));
  return places.reduce((best, at) => (covered(at) < covered(best) ? at : best));
}

// A small plate beside the cell with a row a colour: as many pips as it needs, filled as far as it sees, and the numbers.
function tally(centre, count, needed) {
  const pips = Math.max(needed, count.B, count.W), width = 0.44 * pips + 1.3, x = centre.x - width / 2, y = centre.y - 0.65;
  const parts = [element('rect', { x, y, width, height: 1.3, rx: 0.2, class: 'plate' })];
  ['B', 'W'].forEach((colour, row) => {
    const line = y + 0.36 + 0.58 * row, enough = count[colour] >= needed ? 'enough' : '';
    for (let i = 0; i < pips; i++) {
      const full = i < count[colour] ? `pip-${colour}` : 'pip-empty', extra = i >= needed ? 'extra' : '';
      parts.push(element('circle', { cx: x + 0.36 + 0.44 * i, cy: line, r: 0.17, class: `pip ${full} ${enough} ${extra}` }));
    }
    const text = element('text', { x: x + 0.44 * pips + 0.3, y: line, class: `of ${enough}` });
    text.textContent = `${count[colour]}/${needed}`;
    parts.push(text);
  });
  return parts;
}
