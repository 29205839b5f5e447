// Reads a certification request out of a file that is chosen or dropped, and refuses private keys before anything is sent.
'use strict';

const MAX = 48000;
const form = document.getElementById('request');
const text = document.getElementById('csr');
const refused = document.getElementById('refused');

/** What a request never has, however it was copied. */
const holdsKey = (value) => value.toUpperCase().includes('PRIVATE KEY');

function refuse() {
  text.value = '';
  refused.hidden = false;
  text.focus();
}

async function take(file) {
  refused.hidden = true;
  if (!file || file.size > MAX) {
    return;
  }
  const octets = new Uint8Array(await file.arrayBuffer());
  // DER begins with a SEQUENCE; text never does.
  const value = octets[0] === 0x30 ? btoa(String.fromCharCode(...octets)) : new TextDecoder().decode(octets);
  if (holdsKey(value)) {
    refuse();
  } else {
    text.value = value;
  }
}

document.getElementById('file-field').hidden = false;
document.getElementById('drop-hint').hidden = false;
document.getElementById('file').addEventListener('change', (event) => take(event.target.files[0]));
text.addEventListener('dragover', (event) => event.preventDefault());
text.addEventListener('drop', (event) => {
  if (event.dataTransfer.files.length > 0) {
    event.preventDefault();
    take(event.dataTransfer.files[0]);
  }
});
text.addEventListener('input', () => {
  if (holdsKey(text.value)) {
    refuse();
  } else {
    refused.hidden = true;
  }
});
form.addEventListener('submit', (event) => {
  if (holdsKey(text.value)) {
    event.preventDefault();
    refuse();
  }
});
