// A file that is dropped onto the page is opened, like one that is chosen in the dialog.

import { openFile } from './dialogs.js';

// `opened` is called when the game is there, with what `openFile` returns; `failed` with what is wrong.
export function setUpDrop(session, opened, failed) {
  const mark = (on) => document.body.classList.toggle('dropping', on);
  const hasFile = (event) => event.dataTransfer?.types.includes('Files');
  document.addEventListener('dragover', (event) => {
    if (!hasFile(event)) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = 'copy';
    mark(true);
  });
  document.addEventListener('dragleave', (event) => { if (!event.relatedTarget) mark(false); });
  document.addEventListener('drop', async (event) => {
    if (!hasFile(event)) return;
    event.preventDefault();
    mark(false);
    const { files } = event.dataTransfer, dialog = document.querySelector('dialog[open]');
    try {
      if (files.length !== 1) throw new Error(`${files.length} files: expected one.`);
      const file = await openFile(session, files[0]);
      dialog?.close();
      opened(file);
    } catch (error) {
      const line = dialog?.querySelector('.error');
      if (line) line.textContent = error.message;
      else failed(error.message);
    }
  });
}
