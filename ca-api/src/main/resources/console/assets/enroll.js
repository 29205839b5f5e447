// Reads a certification request out of a file that is chosen or dropped, and refuses private keys before anything is sent.
'use strict';

const MAX = 48000;
const form = document.getElementById('request');
const text = document.getElementById('csr');
const refused = document.getElementById('refused');
const tooLarge = document.getElementById('too-large');

// --- What a request never has, however it was copied ------------------------------------------------

/** Where the content of the DER element at `at` begins. */
const content = (der, at) => at + (der[at + 1] > 0x80 ? der[at + 1] - 0x7e : 2);

/** A key begins with its version, an encrypted one with an algorithm; a request with neither. */
function isKeyInDer(der) {
  const first = content(der, 0);
  return der[0] === 0x30 && (der[first] === 0x02 || (der[first] === 0x30 && der[content(der, first)] === 0x06));
}

function isKeyInBase64(value) {
  try {
    return isKeyInDer(Uint8Array.from(atob(value.replace(/\s/g, '').slice(0, 400)), (c) => c.charCodeAt(0)));
  } catch {
    return false;
  }
}

const holdsKey = (value) => value.toUpperCase().includes('PRIVATE KEY') || isKeyInBase64(value);

/** Text of a Windows shell has two octets a character. */
function decoded(octets) {
  const isWide = octets[0] === 0xff && octets[1] === 0xfe;
  return new TextDecoder(isWide ? 'utf-16le' : 'utf-8').decode(octets);
}

function refuse() {
  text.value = '';
  refused.hidden = false;
  text.focus();
}

async function take(file) {
  refused.hidden = true;
  tooLarge.hidden = true;
  if (!file) {
    return;
  }
  if (file.size > MAX) {
    text.value = '';
    tooLarge.hidden = false;
    return;
  }
  const octets = new Uint8Array(await file.arrayBuffer());
  // DER begins with a SEQUENCE; text never does.
  const value = octets[0] === 0x30 ? btoa(String.fromCharCode(...octets)) : decoded(octets);
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
