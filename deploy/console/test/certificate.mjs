// Sign-in by a registered client certificate, as pages.mjs has the browser do it.
import { request } from 'node:https';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export default async function certificateTests({ url, data, test, open, judged, expect, looks }) {
  const read = (name) => readFileSync(join(data, name), 'utf8').trim();

  function send(path, token, type, body, accept = 'application/json') {
    return new Promise((resolve, reject) => {
      const call = request(`${url}${path}`, {
        method: 'POST',
        ca: read('root.pem'),
        headers: { Authorization: `Bearer ${read(token)}`, 'Content-Type': type, Accept: accept },
      }, (answer) => {
        let text = '';
        answer.on('data', (part) => { text += part; }).on('end', () => resolve({ status: answer.statusCode, text }));
      });
      call.on('error', reject);
      call.end(body);
    });
  }

  let chain = '';
  await test('certificate_isRegistered', async () => {
    const issued = await send('/v1/certificates?profile=tls-client', 'enroll.token', 'application/pkcs10',
      read('example.csr'), 'application/pem-certificate-chain');
    expect(issued.status === 201, `a certificate is issued: ${issued.text}`);
    chain = issued.text;
    const registered = await send('/v1/credentials', 'admin.token', 'application/json',
      JSON.stringify({ requester: 'browser', roles: ['AUDITOR'], certificate: chain }));
    expect(registered.status === 201, `it is registered: ${registered.text}`);
  });

  for (const [look, options] of Object.entries(looks)) {
    await test(`certificate_${look}_offeredAndSignsInWhenAsked`, async () => {
      const page = await open({ ...options,
        clientCertificates: [{ origin: url, cert: Buffer.from(chain), key: readFileSync(join(data, 'example.key')) }] });
      await page.goto(`${url}/console/account`);
      expect(page.url().includes('/console/sign-in'), 'no session without being asked for');
      await judged(page, `sign-in-certificate-${look}`);
      await page.getByRole('button', { name: 'Sign in by certificate' }).click();
      await page.waitForURL('**/console/account');
      await judged(page, `account-certificate-${look}`);
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.waitForURL(/\/console\/sign-in/);
      await page.context().close();
    });
  }
}
