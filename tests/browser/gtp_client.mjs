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

await wholeGame("stigmergy", 4);
await wholeGame("bug", 3);
await wholeGame("sgolte", 3);
await analysis();
console.log("gtp client: all passed");
