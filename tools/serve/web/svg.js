// Making elements, of SVG and of HTML.

export function element(name, attributes = {}, ...children) {
  const node = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
}

export function html(name, attributes = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith('on')) node.addEventListener(key.slice(2), value);
    else if (value === true) node.setAttribute(key, '');
    else if (value !== false && value !== null && value !== undefined) node.setAttribute(key, value);
  }
  node.append(...children);
  return node;
}

// Sets an attribute where it differs: the browser works out again only what was touched.
export function change(node, name, value) {
  if (node.getAttribute(name) !== value) node.setAttribute(name, value);
}

export const byId = (id) => document.getElementById(id);

// Hides an element, or shows it. Where the keyboard is in what is hidden, it goes on at `next`.
export function hide(node, isHidden, next = byId('board')) {
  const hasFocus = node.matches(':focus-visible, :has(:focus-visible)');
  node.hidden = isHidden;
  if (hasFocus && isHidden) next.focus();
}

const nameOf = (button) => button.ariaLabel ?? button.textContent;

// Replaces what is in a box. The keyboard stays on the button of the same name, else on the one in its place; where
// there is none any more it goes on at the board.
export function refill(box, items) {
  const buttons = () => [...box.querySelectorAll('button')];
  const focused = box.querySelector('button:focus-visible'), place = buttons().indexOf(focused);
  box.replaceChildren(...items);
  if (!focused) return;
  const now = buttons(), same = now.find((button) => nameOf(button) === nameOf(focused));
  (same ?? now[Math.min(place, now.length - 1)] ?? byId('board')).focus();
}
