// The engine as WebAssembly (tools/page/page.c), and the few calls of a system that it makes: WASI, preview 1, with files
// that are all in memory and cannot be written. Used by the page's worker, and by a test under Node.js.

const BAD_FILE = 8, NO_ENTRY = 44, FIRST_FILE = 4, ROOT = 3;
const FOLDER_TYPE = 3, FILE_TYPE = 4;
const encoder = new TextEncoder(), decoder = new TextDecoder();

// files: Map of path to Uint8Array, "data/players/default.json"; view: () => DataView of the memory.
function makeSystem(files, view, complain) {
  const open = new Map(); // number of an open file -> {bytes, at}
  const environment = encoder.encode('STIGMERGY_DATA=/data\0');
  const bytesAt = (at, length) => new Uint8Array(view().buffer, at, length);
  const pathAt = (at, length) => decoder.decode(bytesAt(at, length)).replace(/^\//, '');
  const setSize = (at, value) => view().setBigUint64(at, BigInt(value), true);

  function writeStatus(at, type, size) {
    bytesAt(at, 64).fill(0);
    view().setUint8(at + 16, type);
    setSize(at + 32, size);
    return 0;
  }

  // Calls `use` with the memory of each part, until it takes less than the part.
  function eachPart(parts, count, use) {
    let total = 0;
    for (let i = 0; i < count; i++) {
      const length = view().getUint32(parts + 8 * i + 4, true);
      const done = use(bytesAt(view().getUint32(parts + 8 * i, true), length));
      total += done;
      if (done < length) break;
    }
    return total;
  }

  return {
    environ_sizes_get(count, size) {
      view().setUint32(count, 1, true);
      view().setUint32(size, environment.length, true);
      return 0;
    },
    environ_get(list, text) {
      view().setUint32(list, text, true);
      bytesAt(text, environment.length).set(environment);
      return 0;
    },
    clock_time_get(clock, precision, at) {
      view().setBigUint64(at, BigInt(Math.round(1e6 * performance.now())), true);
      return 0;
    },
    fd_prestat_get(file, at) {
      if (file !== ROOT) return BAD_FILE;
      view().setUint32(at, 0, true);
      view().setUint32(at + 4, 1, true);
      return 0;
    },
    fd_prestat_dir_name(file, at) {
      view().setUint8(at, 47); // "/"
      return 0;
    },
    fd_fdstat_get(file, at) {
      bytesAt(at, 24).fill(0);
      view().setUint8(at, file === ROOT ? FOLDER_TYPE : FILE_TYPE);
      view().setBigUint64(at + 8, 0xffffffffn, true);
      view().setBigUint64(at + 16, 0xffffffffn, true);
      return 0;
    },
    fd_filestat_get(file, at) {
      return open.has(file) ? writeStatus(at, FILE_TYPE, open.get(file).bytes.length) : BAD_FILE;
    },
    path_filestat_get(folder, flags, path, length, at) {
      const bytes = files.get(pathAt(path, length));
      return bytes ? writeStatus(at, FILE_TYPE, bytes.length) : NO_ENTRY;
    },
    path_open(folder, flags, path, length, mode, rights, inherited, options, at) {
      const bytes = files.get(pathAt(path, length));
      if (!bytes) return NO_ENTRY;
      let file = FIRST_FILE;
      while (open.has(file)) file++;
      open.set(file, { bytes, at: 0 });
      view().setUint32(at, file, true);
      return 0;
    },
    path_readlink: () => NO_ENTRY,
    fd_readdir: () => BAD_FILE, // no folder can be opened
    fd_read(file, parts, count, at) {
      const state = open.get(file);
      if (!state) return BAD_FILE;
      view().setUint32(at, eachPart(parts, count, (part) => {
        const piece = state.bytes.subarray(state.at, state.at + part.length);
        part.set(piece);
        state.at += piece.length;
        return piece.length;
      }), true);
      return 0;
    },
    fd_seek(file, offset, whence, at) {
      const state = open.get(file);
      if (!state) return BAD_FILE;
      state.at = [0, state.at, state.bytes.length][whence] + Number(offset);
      setSize(at, state.at);
      return 0;
    },
    fd_write(file, parts, count, at) {
      view().setUint32(at, eachPart(parts, count, (part) => {
        complain(decoder.decode(part));
        return part.length;
      }), true);
      return 0;
    },
    fd_close: (file) => (open.delete(file) ? 0 : BAD_FILE),
    proc_exit(status) {
      throw new Error(`the engine has ended (${status})`);
    },
  };
}

export class Engine {
  // module: a WebAssembly.Module. Throws an error that says why the engine does not start.
  static async start(module, files, complain = console.error) {
    const engine = new Engine(), view = () => new DataView(engine.calls.memory.buffer);
    const instance = await WebAssembly.instantiate(module, { wasi_snapshot_preview1: makeSystem(files, view, complain) });
    engine.calls = instance.exports;
    engine.calls._initialize();
    if (!engine.calls.page_start()) throw new Error(engine.text());
    return engine;
  }

  text() {
    const { memory, page_text: text, page_length: length } = this.calls;
    return decoder.decode(new Uint8Array(memory.buffer, text(), length()));
  }

  // {status, text}, or {stream} where the answer is one.
  request(method, path, body = '') {
    const bytes = encoder.encode(`${method}\0${path}\0${body}`), at = this.calls.page_place(bytes.length);
    if (!at) return { status: 500, text: '{"error": "out of memory"}' };
    new Uint8Array(this.calls.memory.buffer, at, bytes.length).set(bytes);
    const status = this.calls.page_request(bytes.length);
    return status < 0 ? { stream: -1 - status } : { status, text: this.text() };
  }

  // The events that a stream has now, as text, "" if there are none; null at its end.
  read(stream) {
    return this.calls.page_read(stream) === 0 ? null : this.text();
  }

  close(stream) {
    this.calls.page_close(stream);
  }

  // Searches for about this many seconds; whether there is more to do.
  step(seconds) {
    return this.calls.page_step(seconds) !== 0;
  }

  // Bytes of memory in use.
  memory() {
    return this.calls.memory.buffer.byteLength;
  }
}
