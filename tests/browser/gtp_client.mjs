// The engine spoken to by Sabaki's GTP client (npm: @sabaki/gtp), for every game: whole games, undo, errors, analysis.
//
//     node tests/browser/gtp_client.mjs path/to/stigmergy
import assert from "node:assert/strict";
import gtp from "@sabaki/gtp";
const {Command, Controller} = gtp;

const program = process.argv[2];

async function start(...options) {
  const controller = new Controller(program, ["gtp", "--seed", "1", ...options]);
  controller.start();
  const ask = async (line, subscriber) => {
    const response = await controller.sendCommand(Command.fromString(line), subscriber);
    return {error: response.error, text: response.content.trim()};
  };
  return {controller, ask};
}

async function wholeGame(game, size) {
  const {controller, ask} = await start("--sims", "20");
  assert.equal((await ask("protocol_version")).text, "2");
  assert.ok(!(await ask(`game ${game}`)).error);
  assert.ok(!(await ask(`boardsize ${size}`)).error);
  for (let turn = 0; turn < 1000; turn++) {
    const side = (await ask("gogui-rules_side_to_move")).text; // after a swap the colours do not alternate
    const move = await ask(`genmove ${side}`);
    if (move.error) break; // the game is over
    if (turn === 2) {
      assert.ok(!(await ask("undo")).error);
      assert.ok(!(await ask(`play ${side} ${move.text}`)).error);
    }
  }
  const score = await ask("final_score");
  assert.match(score.text, /^[BW]\+/);
  assert.ok((await ask("play b z99")).error);
  assert.ok((await ask("no_such_command")).error);
  await controller.stop(1000);
  console.log(`${game} ${size}: ${score.text}`);
}

async function analysis() {
  const {controller, ask} = await start("--move-time", "30", "--size", "5");
  let updates = 0;
  let enough;
  const threeUpdates = new Promise((resolve) => (enough = resolve));
  const analysing = ask("stigmergy-analyze b 10", ({line}) => {
    if (/^(= ?)?info move /.test(line) && ++updates === 3) enough();
  });
  await threeUpdates;
  const name = ask("name"); // ends the analysis
  await analysing;
  assert.equal((await name).text, "Stigmergy");
  await controller.stop(1000);
  console.log(`analysis: ${updates} updates`);
}

// What Sabaki sends on a square board, and what it reads of the answers: the vertices of a game, and candidates that come
// with each of the two dialects until the next command.
async function square() {
  const {controller, ask} = await start("--move-time", "30", "--size", "5", "--komi", "3", "--vertices", "gogui");
  const commands = (await ask("list_commands")).text.split("\n");
  assert.ok(["undo", "kata-analyze", "lz-analyze"].every((name) => commands.includes(name)));
  assert.ok((await ask("komi 6.5")).error); // Sabaki's own: the komi of the command holds
  for (const line of ["boardsize 9", "clear_board", "play B E5", "play W J1"]) assert.ok(!(await ask(line)).error, line);
  assert.ok((await ask("play B A9")).error); // outside the board
  for (const dialect of ["lz-analyze B 10", "kata-analyze B 10 ownership true"]) {
    let seen;
    const update = new Promise((resolve) => (seen = resolve));
    const analysing = ask(dialect, ({line}) => {
      if (line.includes("info move ")) seen(line);
    });
    const line = await update;
    const undone = ask("undo"); // ends the analysis
    await analysing;
    assert.ok(!(await undone).error);
    assert.ok(!(await ask("play W J1")).error);
    for (const candidate of line.split(/\s*info\s+/).slice(1)) {
      const vertex = candidate.match(/^move\s+(\S+)\s+visits\s+\d+/)[1];
      assert.match(vertex, /^([A-HJ][1-9]|pass)$/);
      const [, chance] = candidate.match(/winrate\s+(\S+)/);
      assert.ok(dialect.startsWith("lz") ? /^\d+$/.test(chance) && chance <= 10000 : chance >= 0 && chance <= 1);
    }
  }
  await controller.stop(1000);
  console.log("square: both dialects");
}

await wholeGame("stigmergy", 4);
await wholeGame("bug", 3);
await wholeGame("sgolte", 3);
await analysis();
await square();
console.log("gtp client: all passed");
