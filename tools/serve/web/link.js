// A position as the fragment of a link: everything is in it, no server keeps anything.
//
//     #game=stigmergy&size=8&komi=3&moves=h8.g7.take-button&black=c1.c2&white=d1&to=W
//
// `begun` holds the actions of a turn that is not complete yet.

export function encode(settings, turns, unfinished = []) {
  const fields = new URLSearchParams({ game: settings.game, size: settings.size, komi: settings.komi });
  for (const key of ['capture', 'pie']) if (settings[key]) fields.set(key, settings[key]);
  for (const [key, colour] of [['black', 'B'], ['white', 'W']]) {
    const cells = (settings.initialStones ?? []).filter((stone) => stone[0] === colour).map((stone) => stone[1]);
    if (cells.length) fields.set(key, cells.join('.'));
  }
  if (settings.initialPlayer === 'W') fields.set('to', 'W');
  if (turns.length) fields.set('moves', turns.join('.'));
  if (unfinished.length) fields.set('begun', unfinished.join('.'));
  return `#${fields}`;
}

// {settings, turns, unfinished}, or null where the fragment is none of ours. What it says is checked by the server.
export function decode(fragment) {
  const fields = new URLSearchParams(fragment.replace(/^#/, ''));
  const list = (key) => (fields.get(key) || '').split('.').filter(Boolean);
  if (!fields.has('game') || !fields.has('size')) return null;
  const settings = { game: fields.get('game'), size: Number(fields.get('size')), komi: Number(fields.get('komi') || 0) };
  for (const key of ['capture', 'pie']) if (fields.get(key)) settings[key] = fields.get(key);
  settings.initialStones = [...list('black').map((cell) => ['B', cell]), ...list('white').map((cell) => ['W', cell])];
  if (fields.get('to') === 'W') settings.initialPlayer = 'W';
  return { settings, turns: list('moves'), unfinished: list('begun') };
}
