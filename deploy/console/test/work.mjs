// The pages of work as people use them: find what expires, look at a certificate, revoke it, enroll. pages.mjs gives its
// tools; each test has a browser of its own.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Runs the tests. `as` signs in by a token's file. */
export async function work({ test, expect, open, as, judged, url, data, looks, WAIT }) {
  const csr = () => readFileSync(join(data, 'example.csr'), 'utf8');

  async function enrolled(page) {
    await page.goto(`${url}/console/enroll`);
    await page.getByLabel('CSR, as PEM').fill(csr());
    await page.getByLabel('Profile').selectOption('tls-server');
    await page.getByRole('button', { name: 'Explain it' }).click();
    await page.getByRole('button', { name: 'Enroll' }).click();
    await page.waitForURL(/\/console\/certificates\/[0-9a-f]{38}$/);
    return page.url();
  }

  for (const [look, options] of Object.entries(looks)) {
    await test(`work_${look}_nothingToComplainOf`, async () => {
      const page = await open(options);
      await as(page, 'enroll.token');
      await page.goto(`${url}/console/enroll`);
      await judged(page, `enroll-${look}`);
      await page.getByLabel('CSR, as PEM').fill(csr());
      await page.getByRole('button', { name: 'Explain it' }).click();
      await page.getByRole('heading', { name: 'This is what it becomes' }).waitFor(WAIT);
      await judged(page, `enroll-explained-${look}`);
      const certificate = await enrolled(page);
      await judged(page, `certificate-${look}`);
      await page.getByRole('link', { name: 'Revoke…' }).click();
      await judged(page, `revoke-${look}`);
      await page.getByLabel('superseded').check();
      await page.getByRole('button', { name: 'Go on' }).click();
      await page.getByRole('heading', { name: 'Revoke it now?' }).waitFor(WAIT);
      await judged(page, `revoke-confirm-${look}`);
      await page.getByRole('button', { name: 'Revoke', exact: true }).click();
      await page.waitForURL(certificate);
      await page.getByText('Revoked', { exact: false }).first().waitFor(WAIT);
      await judged(page, `certificate-revoked-${look}`);
      await page.context().close();
    });

    await test(`find_${look}_whatExpiresNextInOneClick`, async () => {
      const page = await open(options);
      await as(page, 'admin.token');
      await page.getByRole('link', { name: 'Certificates' }).click();
      // What was issued a moment ago is found within a second or so.
      for (let i = 0; i < 100 && await page.locator('.found [data-row]').count() === 0; i++) {
        await page.reload();
      }
      await judged(page, `certificates-${look}`);
      await page.getByRole('link', { name: 'Expires within 7 days' }).click();
      expect(page.url().endsWith('?within=7'), 'one click');
      expect(await page.getByLabel('Expires to').inputValue() !== '', 'the days are shown');
      await judged(page, `certificates-within-${look}`);
      await page.getByRole('link', { name: 'Clear' }).click();
      await page.getByLabel('Name', { exact: true }).fill('console.*');
      await page.getByRole('button', { name: 'Find' }).click();
      await page.locator('.found [data-row] a').first().click();
      await page.getByRole('heading', { name: 'Ledger' }).waitFor(WAIT);
      await page.context().close();
    });
  }

  await test('enroll_withoutScripts_worksAsWell', async () => {
    const page = await open({ javaScriptEnabled: false });
    await as(page, 'enroll.token');
    const certificate = await enrolled(page);
    expect(certificate.includes('/console/certificates/'), 'its page');
    await page.context().close();
  });

  await test('enroll_droppedFile_isReadAndAPrivateKeyNeverSent', async () => {
    const page = await open();
    await as(page, 'enroll.token');
    await page.goto(`${url}/console/enroll`);
    await page.getByLabel('or choose a file').setInputFiles(join(data, 'example.csr'));
    await page.waitForFunction(() => document.getElementById('csr').value.includes('CERTIFICATE REQUEST'), null, WAIT);
    const sent = [];
    page.on('request', (request) => sent.push(request.method()));
    const key = join(data, 'planted.key');
    writeFileSync(key, '-----BEGIN PRIVATE KEY-----\nMC4=\n-----END PRIVATE KEY-----\n');
    await page.getByLabel('or choose a file').setInputFiles(key);
    await page.locator('#refused').waitFor(WAIT);
    expect(await page.getByLabel('CSR, as PEM').inputValue() === '', 'the field is empty');
    // As DER, and as base64 of it.
    const der = Buffer.from(readFileSync(join(data, 'example.key'), 'utf8').replace(/-----.*-----|\s/g, ''), 'base64');
    writeFileSync(key, der);
    await page.getByLabel('or choose a file').setInputFiles(join(data, 'example.csr'));
    await page.waitForFunction(() => document.getElementById('csr').value.includes('CERTIFICATE REQUEST'), null, WAIT);
    await page.getByLabel('or choose a file').setInputFiles(key);
    await page.locator('#refused').waitFor(WAIT);
    expect(await page.getByLabel('CSR, as PEM').inputValue() === '', 'a key in DER is not taken');
    await page.getByLabel('CSR, as PEM').fill(der.toString('base64'));
    expect(await page.getByLabel('CSR, as PEM').inputValue() === '', 'nor in base64');
    // A request in DER is no key.
    const request = join(data, 'planted.der');
    writeFileSync(request, Buffer.from(readFileSync(join(data, 'example.csr'), 'utf8').replace(/-----.*-----|\s/g, ''), 'base64'));
    await page.getByLabel('or choose a file').setInputFiles(request);
    await page.waitForFunction(() => document.getElementById('csr').value.startsWith('MI'), null, WAIT);
    await page.getByLabel('CSR, as PEM').fill('x -----BEGIN RSA PRIVATE KEY-----');
    expect(await page.getByLabel('CSR, as PEM').inputValue() === '', 'typed as well');
    expect(!sent.includes('POST'), 'nothing was sent');
    await page.context().close();
  });

  await test('menu_offersWhatTheRoleMayOpen', async () => {
    for (const [token, mayEnroll] of [['admin.token', false], ['enroll.token', true]]) {
      const page = await open();
      await as(page, token);
      const titles = await page.locator('.top nav a').allTextContents();
      expect(titles.includes('Enroll') === mayEnroll, `${token}: ${titles}`);
      await page.context().close();
    }
  });
}
