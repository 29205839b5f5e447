// The live pages of all nodes and of the last hour, driven with the tools of pages.mjs.
export async function livePages({ test, expect, open, signIn, live, judged, enroll, url, LOOKS, WAIT }) {
  await test('live_allNodes_haveTheNodeAndTheSum', async () => {
    const page = await open();
    await signIn(page);
    await live(page);
    await page.waitForFunction(
      () => /room|Idle/.test(document.querySelector('[data-list=cluster] [data-field=text]').textContent), null, WAIT);
    expect(await enroll() === 201, 'a certificate is issued');
    await page.waitForFunction(
      () => document.querySelector('[data-list=sum] [data-field=issued]').textContent > '0', null, WAIT);
    expect(await page.locator('[data-list=nodes] [data-row]').count() === 1, 'one row of the one node');
    expect((await page.locator('[data-list=sum] [data-field=state]').textContent()) === '1 of 1 node', 'the sum counts it');
    await page.locator('[data-list=protocols] [data-field=name]').filter({ hasText: 'REST' }).first().waitFor(WAIT);
    await page.context().close();
  });

  for (const [look, options] of Object.entries(LOOKS)) {
    await test(`hour_${look}_nothingToComplainOf`, async () => {
      const page = await open(options);
      await signIn(page);
      await live(page);
      await page.getByRole('link', { name: 'The last hour' }).click();
      await page.locator('#plot canvas').waitFor(WAIT);
      expect(await page.locator('[data-point]').count() > 0, 'minutes');
      await judged(page, `hour-${look}`);
      await page.context().close();
    });
  }

  await test('hour_withoutScripts_hasTheMinutes', async () => {
    const page = await open({ javaScriptEnabled: false });
    await signIn(page);
    await page.goto(`${url}/console/live/hour`);
    expect(await page.locator('[data-point]').count() > 0, 'minutes');
    await page.context().close();
  });
}
