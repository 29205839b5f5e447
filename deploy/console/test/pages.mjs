// Drives the console with Debian's chromium as its people do: signs in, watches the live page move while something
// enrolls, and has every page judged by axe-core, in light, in dark and on a phone. What the browser complains of is a
// failure: violations of the Content Security Policy, errors and warnings in its console, exceptions of scripts. Screenshots
// are left in the folder of the third argument.
//   node pages.mjs URL DATA OUT CHROMIUM
import { chromium } from 'playwright-core';
import { livePages } from './live.mjs';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Agent, request } from 'node:https';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import certificateTests from './certificate.mjs';
import { work } from './work.mjs';

const [url, data, out, executablePath] = process.argv.slice(2);
const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const read = (name) => readFileSync(join(data, name), 'utf8').trim();
const WAIT = { timeout: 15000 };
// An overload takes its time on a machine that is busy with other work.
const LONG = { timeout: 60000 };
// The HSM signs 20 a second; the line has places for fewer than these.
const FLOOD = 100;
const complaints = [];
let failures = 0;

function expect(isTrue, text) {
  if (!isTrue) {
    throw new Error(text);
  }
}

async function test(name, work) {
  complaints.length = 0;
  try {
    await work();
    expect(complaints.length === 0, `the browser complains: ${complaints.join('; ')}`);
    console.log(`ok  ${name}`);
  } catch (e) {
    failures++;
    for (const [i, page] of browser.contexts().flatMap((context) => context.pages()).entries()) {
      await page.screenshot({ path: join(out, `failed-${name}-${i}.png`), fullPage: true }).catch(() => {});
      await page.context().close();
    }
    console.log(`NOT ${name}\n    ${String(e.message ?? e).split('\n').join('\n    ')}`);
  }
}

// --- The node's other clients -------------------------------------------------------------------------------

function enroll(agent) {
  return new Promise((resolve, reject) => {
    const call = request(`${url}/v1/certificates?profile=tls-server`, {
      method: 'POST',
      agent,
      ca: read('root.pem'),
      headers: { Authorization: `Bearer ${read('enroll.token')}`, 'Content-Type': 'application/pkcs10' },
    }, (answer) => answer.resume().on('end', () => resolve(answer.statusCode)));
    call.on('error', reject);
    call.end(readFileSync(join(data, 'example.csr')));
  });
}

/** Enrolls one after another until `done` has ended. */
async function enrollDuring(done) {
  let isOver = false;
  const over = done.finally(() => { isOver = true; });
  // What fails is reported by `over`.
  over.catch(() => {});
  while (!isOver) {
    expect(await enroll() === 201, 'a certificate is issued');
  }
  return over;
}

/** Many at once, more than the HSM can sign, until `isOver()`; a refused one asks again a second later. */
async function flood(isOver) {
  const agent = new Agent({ keepAlive: true });
  await Promise.all(Array.from({ length: FLOOD }, async () => {
    while (!isOver()) {
      // A refused connection counts as a refusal.
      if (await enroll(agent).catch(() => 0) !== 201) {
        await delay(1000);
      }
    }
  }));
  agent.destroy();
}

// --- Pages --------------------------------------------------------------------------------------------------

const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });

async function open(options = {}) {
  const context = await browser.newContext({
    // The root of a trial is in no browser's store; TLS is other tests' matter.
    ignoreHTTPSErrors: true, viewport: { width: 1440, height: 960 }, ...options });
  const page = await context.newPage();
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) {
      complaints.push(message.text());
    }
  });
  page.on('pageerror', (e) => complaints.push(String(e)));
  page.on('requestfailed', (failed) => {
    // What is under way ends with its page.
    if (failed.failure()?.errorText !== 'net::ERR_ABORTED') {
      complaints.push(`${failed.url()}: ${failed.failure()?.errorText}`);
    }
  });
  return page;
}

async function signIn(page, token = 'admin.token') {
  await page.goto(`${url}/console`);
  await page.getByLabel('Token').fill(read(token));
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL('**/console/live');
}

const live = (page) => page.waitForSelector('#connection[data-state=calm]', WAIT);

// By the debugger, to which no policy applies.
async function judge(page) {
  await page.evaluate(axeSource);
  const found = await page.evaluate(() => axe.run());
  return found.violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.target.join(' ')).join(', ')}`);
}

async function judged(page, shot) {
  const found = await judge(page);
  expect(found.length === 0, `axe-core on ${page.url()}: ${found.join('; ')}`);
  const isWide = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
  expect(!isWide, `${page.url()} is wider than the window`);
  await page.screenshot({ path: join(out, `${shot}.png`), fullPage: true });
}

const LOOKS = {
  light: { colorScheme: 'light' },
  dark: { colorScheme: 'dark' },
  phone: { colorScheme: 'light', viewport: { width: 390, height: 844 }, hasTouch: true },
};

for (const [look, options] of Object.entries(LOOKS)) {
  await test(`pages_${look}_nothingToComplainOf`, async () => {
    const page = await open(options);
    await page.goto(`${url}/console`);
    await judged(page, `sign-in-${look}`);
    await signIn(page);
    await live(page);
    const seen = page.locator('[data-list=shares] [data-field=name]').first().waitFor(WAIT);
    await enrollDuring(seen.then(() => page.waitForFunction(
      () => document.querySelectorAll('[data-list=stages] [data-field=value]')[5].textContent > '0', null, WAIT)));
    await judged(page, `live-${look}`);
    await page.getByRole('link', { name: 'Account' }).click();
    await judged(page, `account-${look}`);
    await page.context().close();
  });
}

await test('live_page_movesByItself', async () => {
  const page = await open();
  await signIn(page);
  await live(page);
  for (let i = 0; i < 5; i++) {
    const before = await page.locator('#at').textContent();
    await page.waitForFunction((at) => document.getElementById('at').textContent !== at, before, WAIT);
  }
  await page.context().close();
});

await test('live_overload_isSeenAndRecovers', async () => {
  const page = await open({ colorScheme: 'light' });
  await signIn(page);
  await live(page);
  let isOver = false;
  const flooded = flood(() => isOver);
  try {
    await page.waitForFunction(() => document.getElementById('verdict').textContent.includes('The HSM is the bottleneck')
      && document.querySelector('[data-list=stages] [data-marked=true] h2').textContent === 'HSM', null, LONG);
    // A plot of half a minute.
    for (let i = 0; i < 30; i++) {
      const before = await page.locator('#at').textContent();
      await page.waitForFunction((at) => document.getElementById('at').textContent !== at, before, WAIT);
    }
    await judged(page, 'live-overload-light');
    await page.emulateMedia({ colorScheme: 'dark' });
    await judged(page, 'live-overload-dark');
  } finally {
    isOver = true;
  }
  await flooded;
  await page.waitForSelector('#verdict[data-state=idle], #verdict[data-state=calm]', LONG);
  await page.context().close();
});

await test('live_withoutScripts_showsTheMomentAndALink', async () => {
  const page = await open({ javaScriptEnabled: false });
  await signIn(page);
  expect(await page.locator('[data-list=stages] [data-row]').count() === 6, 'six stages');
  await page.getByRole('link', { name: 'Refresh' }).click();
  expect(!(await page.locator('[data-list=stages] [data-field=value]').first().textContent()).includes('–'),
    'rates are known when the page is loaded again');
  await page.context().close();
});

await test('keyboard_alone_signsInAndOut', async () => {
  const page = await open();
  await page.goto(`${url}/console`);
  await page.keyboard.type(read('admin.token'));
  await page.keyboard.press('Enter');
  await page.waitForURL('**/console/live');
  await page.keyboard.press('Tab');
  expect(await page.evaluate(() => document.activeElement.textContent) === 'Skip to the content', 'the first stop');
  for (let i = 0; i < 10 && await page.evaluate(() => document.activeElement.textContent) !== 'Sign out'; i++) {
    await page.keyboard.press('Tab');
  }
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/console\/sign-in/);
  await page.context().close();
});

// --- Work, sign-in and Live, in modules of their own -------------------------------------------------------------

await work({ test, expect, open, as: signIn, judged, url, data, looks: LOOKS, WAIT });
await certificateTests({ url, data, test, open, judged, expect, looks: LOOKS });
await livePages({ test, expect, open, signIn, live, judged, enroll, url, LOOKS, WAIT });

// --- The judges are judged ------------------------------------------------------------------------------------

await test('planted_inlineScript_isRefusedAndNoticed', async () => {
  const page = await open();
  await page.goto(`${url}/console`);
  const noticed = page.waitForEvent('console', WAIT);
  await page.evaluate(() => {
    const script = document.createElement('script');
    script.textContent = 'window.planted = true';
    document.body.append(script);
  });
  await noticed;
  expect(complaints.length === 1 && complaints[0].includes('Content Security Policy'), `noticed: ${complaints}`);
  expect(!(await page.evaluate(() => window.planted)), 'it did not run');
  complaints.length = 0;
  await page.context().close();
});

await test('planted_fieldWithoutLabelAndFaintText_areFound', async () => {
  const page = await open();
  await page.goto(`${url}/console`);
  await page.evaluate(() => {
    document.querySelector('label').remove();
    document.querySelector('h1').style.color = '#ccc';
  });
  const found = (await judge(page)).join();
  expect(found.includes('label') && found.includes('color-contrast'), `found: ${found}`);
  await page.context().close();
});

await browser.close();
process.exit(failures === 0 ? 0 : 1);
