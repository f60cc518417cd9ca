// Where the cells of hexhex-N are on the screen: pointy-topped hexagons of radius 1, rows horizontal.

const ROW = 1.5, COLUMN = Math.sqrt(3);

export const cellCount = (size) => 3 * size * (size - 1) + 1;

// Where a cell lies when the board is turned clockwise by sixths of a full turn.
function turned({ q, r }, turns) {
  return turns === 0 ? { column: q, row: r } : turned({ q: -r, r: q + r }, turns - 1);
}

export const place = (q, r) => ({ x: COLUMN * (q + r / 2), y: ROW * r });

// The corners of a hexagon of a radius around a point, as the `points` of a polygon.
export function hexagon({ x, y }, radius) {
  const corners = [];
  for (let i = 0; i < 6; i++) {
    const angle = Math.PI / 3 * i + Math.PI / 6;
    corners.push(`${(x + radius * Math.cos(angle)).toFixed(3)},${(y + radius * Math.sin(angle)).toFixed(3)}`);
  }
  return corners.join(' ');
}

export class Geometry {
  // `board` is the server's: {size, cells: [{name, q, r}]}; `turns`: by how many sixths it is turned.
  constructor(board, turns = 0) {
    this.size = board.size;
    this.turns = turns;
    this.cells = board.cells.map((cell, number) => {
      const at = turned(cell, turns);
      return { ...cell, ...at, number, ...place(at.column, at.row) };
    });
    this.byName = new Map(this.cells.map((cell) => [cell.name, cell.number]));
    this.byPlace = new Map(this.cells.map((cell) => [`${cell.column},${cell.row}`, cell.number]));
  }

  get viewBox() {
    const width = COLUMN * (2 * this.size - 1) + 2.6, height = ROW * (2 * this.size - 2) + 2 + 2.3;
    return { x: -width / 2, y: -height / 2, width, height };
  }

  // Letters and numbers beside the board, turned with it.
  labels() {
    const angle = this.turns * Math.PI / 3, cos = Math.cos(angle), sin = Math.sin(angle);
    return this.straightLabels().map(({ text, x, y }) => ({ text, x: cos * x - sin * y, y: sin * x + cos * y }));
  }

  // Letters at the left end of each row; numbers where the columns leave the board: upwards to the right in the upper
  // half, downwards to the right in the lower one.
  straightLabels() {
    const last = this.size - 1, labels = [];
    for (let r = -last; r <= last; r++) {
      const first = Math.max(-last, -last - r), at = place(first, r);
      labels.push({ text: String.fromCharCode(97 + last - r), x: at.x - 1.35, y: at.y });
    }
    for (let column = 1; column <= 2 * this.size - 1; column++) {
      const diagonal = column - this.size; // q + r above, q below
      const top = column <= this.size ? -last : column - this.size - last;
      const above = place(diagonal - top + 1, top - 1), bottom = -top, below = place(diagonal, bottom + 1);
      labels.push({ text: String(column), x: above.x - 0.25, y: above.y + 0.45 });
      if (column < 2 * this.size - 1) labels.push({ text: String(column), x: below.x - 0.25, y: below.y - 0.45 });
    }
    return labels;
  }

  // The cell next to another one in the direction of an arrow key, or the same one at the edge.
  step(number, key) {
    const { column, row } = this.cells[number];
    const towards = {
      ArrowLeft: [[-1, 0]], ArrowRight: [[1, 0]], ArrowUp: [[0, -1], [1, -1]], ArrowDown: [[0, 1], [-1, 1]],
    }[key];
    // Up and down alternate between the two diagonals, so that a way up leads straight up.
    const order = row % 2 ? towards : [...towards].reverse();
    for (const [dq, dr] of order) {
      const next = this.byPlace.get(`${column + dq},${row + dr}`);
      if (next !== undefined) return next;
    }
    return number;
  }

  // The cells next to one.
  neighbours(number) {
    const { column, row } = this.cells[number];
    return [[1, 0], [-1, 0], [0, 1], [0, -1], [1, -1], [-1, 1]]
      .map(([dq, dr]) => this.byPlace.get(`${column + dq},${row + dr}`)).filter((cell) => cell !== undefined);
  }

  // The cells whose stones a turn captures. Sgolte: d3xb4,b5>a1,c2
  removedBy(turn) {
    return new Set(this.cellsOf(turn.match(/x([^>]*)/)?.[1] ?? ''));
  }

  // The cells that the text of a turn names, in order.
  cellsOf(turn) {
    return (turn.match(/[a-z]\d+/g) || []).map((name) => this.byName.get(name)).filter((cell) => cell !== undefined);
  }
}
