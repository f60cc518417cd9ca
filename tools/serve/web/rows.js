// A row of a list of moves. While a mouse or the keyboard is on it, the board shows how the move goes on. It is chosen by a
// click, by Enter, and by a finger, which cannot point: its first tap only shows the move, and the second one chooses it.

// `line` is the variation that begins with the move, of `colour`. `choose` does what the row is for; `read` is called after a
// first tap (null: a first tap chooses, too). `list` keeps the row's `key` in `tapped` then, and forgets it when the list is
// about another position.
export function makeRow(row, board, { key, line, colour, list, choose, read }) {
  const show = () => board.showVariation(line, colour), hide = () => board.rest();
  row.addEventListener('mouseenter', show);
  row.addEventListener('mouseleave', hide);
  row.addEventListener('focus', show);
  row.addEventListener('blur', hide);
  row.addEventListener('click', ({ pointerType }) => {
    if (!read || pointerType !== 'touch' || list.tapped === key) return choose();
    list.tapped = key;
    board.pinVariation(line, colour);
    return read();
  });
  row.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter') return;
    row.click();
    board.svg.focus(); // the list will be about another position
  });
  return row;
}
