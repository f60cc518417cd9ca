// The board as a picture that needs no page around it: SVG with the look that the style sheet gives it, or PNG made of
// that. What belongs to the pointer (lines of sight) is left out.

import { element } from './svg.js';

const WIDTH = 1200; // pixels
// What an element of SVG looks like where nobody says otherwise.
const PLAIN = {
  fill: 'rgb(0, 0, 0)', stroke: 'none', 'stroke-width': '1px', 'stroke-dasharray': 'none', 'stroke-linecap': 'butt', opacity: '1',
  'font-size': '', 'font-weight': '400', 'text-anchor': 'start', 'dominant-baseline': 'auto', 'stop-color': 'rgb(0, 0, 0)',
};
const DRAWN = new Set(['polygon', 'circle', 'path', 'line', 'rect', 'text', 'stop']);
const LEFT_OUT = new Set(['class', 'role', 'aria-label', 'data-cell', 'style']);

// A copy of an element with its look as attributes; null where nothing is seen of it.
function copyOf(node) {
  const style = getComputedStyle(node), drawn = DRAWN.has(node.localName);
  if (style.display === 'none' || style.visibility === 'hidden' || node.classList.contains('sight')) return null;
  if (drawn && node.localName !== 'stop' && style.fill === 'none' && style.stroke === 'none') return null;
  const copy = element(node.localName);
  for (const { name, value } of node.attributes) if (!LEFT_OUT.has(name) && !(drawn && name === 'id')) copy.setAttribute(name, value);
  for (const [name, plain] of Object.entries(drawn ? PLAIN : { opacity: '1' })) {
    const value = style.getPropertyValue(name);
    if (value && value !== plain && (name !== 'font-size' || node.localName === 'text')) copy.setAttribute(name, value.replaceAll('"', ''));
  }
  if (node.localName === 'g') copy.removeAttribute('id');
  for (const child of node.childNodes) {
    const inner = child.nodeType === Node.TEXT_NODE ? child.cloneNode() : copyOf(child);
    if (inner) copy.append(inner);
  }
  return drawn || copy.childNodes.length ? copy : null;
}

// The text of an SVG file, and its size in pixels. `title` says what is on the board.
function draw(svg, title) {
  const { x, y, width, height } = svg.viewBox.baseVal, size = { width: WIDTH, height: Math.round(WIDTH * height / width) };
  const picture = element('svg', { ...size, viewBox: `${x} ${y} ${width} ${height}`, 'font-family': 'system-ui, sans-serif' },
    Object.assign(element('title'), { textContent: title }),
    element('rect', { x, y, width, height, fill: getComputedStyle(document.body).backgroundColor }),
    ...[...svg.children].map(copyOf).filter(Boolean));
  return { text: new XMLSerializer().serializeToString(picture), ...size };
}

async function toPng({ text, width, height }) {
  const image = new Image(width, height), url = URL.createObjectURL(new Blob([text], { type: 'image/svg+xml' }));
  try {
    image.src = url;
    await image.decode();
    const canvas = Object.assign(document.createElement('canvas'), { width, height });
    canvas.getContext('2d').drawImage(image, 0, 0, width, height);
    return await new Promise((resolve, reject) => {
      canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('This browser cannot make a PNG picture; SVG may do.'))), 'image/png');
    });
  } finally {
    URL.revokeObjectURL(url);
  }
}

// A picture of the board as a file: `format` is svg or png.
export async function pictureOf(svg, format, title) {
  const picture = draw(svg, title);
  return format === 'png' ? toPng(picture) : new Blob([picture.text], { type: 'image/svg+xml' });
}
