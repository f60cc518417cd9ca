// The sounds of a game, made by the browser: a click for a stone, a lower double one for a stone that turns or goes, two
// notes at the end. They need no files. A browser plays nothing before somebody has clicked on the page.

const SOUNDS = { // [seconds from now, hertz, seconds, loudness]
  place: [[0, 900, 0.05, 0.5]],
  change: [[0, 500, 0.06, 0.5], [0.07, 360, 0.07, 0.5]],
  other: [[0, 600, 0.05, 0.3]],
  end: [[0, 520, 0.25, 0.4], [0.22, 390, 0.5, 0.4]],
};
const KINDS = { place: 'place', flip: 'change', remove: 'change' }; // by the effect of an action

let context = null;

function note([start, hertz, seconds, loudness]) {
  const at = context.currentTime + start, tone = context.createOscillator(), gain = context.createGain();
  tone.type = 'triangle';
  tone.frequency.setValueAtTime(hertz, at);
  tone.frequency.exponentialRampToValueAtTime(hertz * 0.6, at + seconds);
  gain.gain.setValueAtTime(loudness, at);
  gain.gain.exponentialRampToValueAtTime(0.001, at + seconds);
  tone.connect(gain).connect(context.destination);
  tone.start(at);
  tone.stop(at + seconds);
}

// The sound of an action with this effect, or of the end of the game.
export function sound(effect, over) {
  try {
    context ??= new AudioContext();
    for (const tone of SOUNDS[over ? 'end' : KINDS[effect] ?? 'other']) note(tone);
  } catch { /* no sound card, or not allowed: the game goes on */ }
}
