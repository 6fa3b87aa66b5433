import { expect } from 'vitest';
import { expectAccessible, openBrowser } from '../support/browser.ts';
import { consoleVisitor } from '../support/console-visitor.ts';
import { putSmallMovie } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { sharedServer } from '../support/shared-server.ts';

const start = sharedServer();
const open = openBrowser();
const test = needs('ffmpeg', 'Chromium');

/** A person at the workbench with a film of eight seconds, 24 frames a second and a key frame each half a second. */
async function editor(name: string, width?: number) {
  const { server } = await start();
  const visitor = await consoleVisitor(open, server, name, width === undefined ? {} : { width });
  await putSmallMovie(visitor.folder, 8, 'in.mp4');
  await visitor.signIn();
  await visitor.page.goto(`${server.url}/files?file=in.mp4`);
  await visitor.page.getByRole('button', { name: 'Convert…' }).click();
  const strip = visitor.page.getByRole('group', { name: 'Part of in.mp4' });
  const slider = (label: string) => strip.getByRole('slider', { name: label });
  const times = async () => [
    await slider('Start of the part').getAttribute('aria-valuetext'),
    await slider('End of the part').getAttribute('aria-valuetext'),
  ];
  await slider('Start of the part').waitFor();
  return { ...visitor, strip, slider, times };
}

test('a person chooses a part by keys, sees its frames, and converts it', async () => {
  const { page, errors, strip, slider, times, client } = await editor('by-keys');
  await strip.locator('img[data-state="loaded"]').waitFor();
  expect(await times()).toEqual(['0:00.000', expect.stringMatching(/^0:08\.0/)]);

  const position = slider('Position');
  await position.press('Shift+ArrowRight');
  await position.press('Shift+ArrowRight');
  await position.press('ArrowRight');
  expect(await position.getAttribute('aria-valuetext')).toBe('0:02.041');
  const video = strip.locator('video');
  const shown = () => video.evaluate((element) => (element as unknown as { currentTime: number }).currentTime);
  // The middle of the frame, which the browser certainly shows.
  await expect.poll(shown).toBeCloseTo(2.041 + 1 / 48, 2);
  await position.press('i');
  await position.press('PageUp');
  await slider('End of the part').press('Shift+ArrowLeft');
  expect((await times())[0]).toBe('0:02.041');
  await slider('End of the part').press('Home');
  expect(await times()).toEqual(['0:02.041', '0:02.083']);
  for (let second = 0; second < 2; second++) await slider('End of the part').press('Shift+ArrowRight');
  expect((await times())[1]).toBe('0:04.083');
  await expectAccessible(page);

  // The part is options of the source, which a person can also type.
  expect(await page.getByLabel('Value of ss').inputValue()).toBe('2.041');
  await page.getByLabel('Value of to').fill('0:03');
  await expect.poll(times).toEqual(['0:02.041', '0:03.000']);
  // The picture follows to the last frame that is kept.
  await expect.poll(() => position.getAttribute('aria-valuetext')).toBe('0:02.958');
  await expect.poll(shown).toBeCloseTo(2.958 + 1 / 48, 2);
  await strip.getByText('Last frame: 0:02.958').waitFor();
  await page.getByText('Ready.').waitFor();
  await page.getByRole('button', { name: 'Convert', exact: true }).click();
  await expect.poll(async () => (await client.list()).jobs.length).toBe(1);
  const [job] = (await client.list()).jobs;
  const ended = await client.wait(job?.jobId ?? '');
  expect(ended.outputs?.[0]?.durationSeconds).toBeCloseTo(0.96, 1);
  expect(errors).toEqual([]);
});

test('a person goes frame by frame with buttons, which stay in their place, and keeps the frame that is shown', async () => {
  const { page, errors, strip, times } = await editor('by-buttons');
  const button = (name: string) => strip.getByRole('button', { name });
  for (let frame = 0; frame < 3; frame++) await button('Forward by a frame').click();
  await button('Back by a frame').click();
  await strip.getByText('0:00.083', { exact: true }).waitFor();
  const place = async () => (await button('Start here').boundingBox())?.x;
  const before = await place();
  await button('Start here').click();
  await button('Keep another part').waitFor();
  expect(await place()).toBe(before);
  await button('Forward by a frame').click();
  await button('End here').click();
  expect(await times()).toEqual(['0:00.083', '0:00.166']);
  await strip.getByText('Last frame: 0:00.125').waitFor();
  // A typed time moves the picture to its frame.
  await page.getByLabel('Value of ss').fill('0:00.042');
  await strip.getByText('0:00.041', { exact: true }).waitFor();
  // At the first frame, the button keeps the focus.
  for (let press = 0; press < 2; press++) await button('Back by a frame').press('Enter');
  await strip.getByText('0:00.000', { exact: true }).waitFor();
  expect(await page.locator(':focus').getAttribute('aria-label')).toBe('Back by a frame');
  expect(errors).toEqual([]);
});

test('on a phone, two presses bring the frames around a time so close that a finger hits each of them', async () => {
  const { page, errors, strip, slider, times } = await editor('zoom', 390);
  const pictures = strip.locator('img');
  await strip.locator('img[data-state="loaded"]').first().waitFor();
  const button = (name: string) => strip.getByRole('button', { name });
  const track = async () => {
    const start = await slider('Start of the part').boundingBox();
    const end = await slider('End of the part').boundingBox();
    const [left, right] = [(start?.x ?? 0) + (start?.width ?? 0), end?.x ?? 0];
    return { left, width: right - left, y: (start?.y ?? 0) + (start?.height ?? 0) / 2 };
  };
  const { left, width, y } = await track();
  const press = (share: number) => page.mouse.click(left + share * width, y);
  await press(0.5);
  const height = (await strip.boundingBox())?.height;
  await button('Zoom in').click();
  await expect.poll(() => pictures.count()).toBe(8);
  await button('Zoom in').click();
  expect(await button('Zoom in').getAttribute('aria-disabled')).toBe('true');
  // The pictures are those of the second that is shown.
  await expect.poll(() => pictures.nth(0).getAttribute('src')).toMatch(/at=3\.\d/);
  await expect
    .poll(
      () =>
        pictures.evaluateAll((all) =>
          all.every((one) => (one as unknown as { naturalWidth: number }).naturalWidth > 0),
        ),
      // The service runs ffmpeg once for each picture, one run after the other.
      { timeout: 60_000 },
    )
    .toBe(true);
  // What is below the strip has not moved.
  expect((await strip.boundingBox())?.height).toBe(height);
  await press(0.25);
  const position = await slider('Position').getAttribute('aria-valuetext');
  // A pixel is less than a frame.
  await press(0.25 + 12 / width);
  const next = await slider('Position').getAttribute('aria-valuetext');
  expect(next).not.toBe(position);
  await button('Back by a frame').click();
  expect(await slider('Position').getAttribute('aria-valuetext')).toBe(position);
  await button('Start here').click();
  await button('Forward by a frame').click();
  await button('End here').click();
  expect(await times()).toEqual([position, expect.any(String)]);
  // When a key moves the position out of the view, the view follows.
  await slider('Position').press('Shift+ArrowRight');
  await expect.poll(() => pictures.nth(0).getAttribute('src')).toMatch(/at=4\.\d/);
  await expectAccessible(page);
  for (let zoom = 0; zoom < 2; zoom++) await button('Zoom out').click();
  expect(await button('Zoom out').getAttribute('aria-disabled')).toBe('true');
  expect(await times()).toEqual([position, expect.any(String)]);
  expect(errors).toEqual([]);
});

test('the strip says which time is under the mouse', async () => {
  const { page, errors, strip, slider } = await editor('hover');
  const start = await slider('Start of the part').boundingBox();
  const end = await slider('End of the part').boundingBox();
  const left = (start?.x ?? 0) + (start?.width ?? 0);
  await page.mouse.move(left + ((end?.x ?? 0) - left) / 2, (start?.y ?? 0) + 10);
  await strip.getByText(/^0:0(?:3\.9|4\.0)\d\d$/).waitFor();
  expect(await slider('Position').getAttribute('aria-valuetext')).toBe('0:00.000');
  await page.mouse.move(0, 0);
  await strip.getByText(/^0:0(?:3\.9|4\.0)\d\d$/).waitFor({ state: 'detached' });
  expect(errors).toEqual([]);
});

test('a part is typed by its end or by its length, whatever the recipe has', async () => {
  const { page, errors, strip, times } = await editor('typed-part');
  await page.getByLabel('What to do').fill('gif');
  await page.getByRole('button', { name: 'Animated GIF with a good palette' }).first().click();
  await expect.poll(times).toEqual(['0:00.000', '0:05.000']);
  const part = strip.getByRole('textbox', { name: 'Part, from – to' });
  const field = (name: string) => page.getByRole('textbox', { name, exact: true });
  await part.fill('2-5');
  await expect.poll(() => field('Length').inputValue()).toBe('3');
  expect(await field('Start').inputValue()).toBe('2');
  await part.fill('1 + 1.5');
  await expect.poll(times).toEqual(['0:01.000', '0:02.500']);
  await part.fill('3-');
  expect(await part.getAttribute('aria-invalid')).toBe('true');
  await strip.getByText('From–to, such as 2-5').waitFor();
  // Letters that are keys of the strip are text here.
  await part.pressSequentially('io');
  expect(await times()).toEqual(['0:01.000', '0:02.500']);
  await expectAccessible(page);
  await part.press('Enter');
  expect(await part.inputValue()).toBe('0:01.000 – 0:02.500');
  expect(errors).toEqual([]);
});

test('a person drags both points with the mouse and a finger, also on a phone', async () => {
  const { page, errors, strip, slider, times } = await editor('by-hand', 390);
  const box = async (label: string) => {
    const found = await slider(label).boundingBox();
    if (found === null) throw new Error(`${label} is not shown.`);
    return { x: found.x + found.width / 2, y: found.y + found.height / 2 };
  };
  const from = await box('Start of the part');
  const handle = (await slider('Start of the part').boundingBox())?.width ?? 0;
  const width = (await box('End of the part')).x - from.x - handle;
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(from.x + width / 4, from.y, { steps: 3 });
  // What appears during a drag does not move the strip under the pointer.
  await page.getByText('Ready.').waitFor();
  expect((await box('Start of the part')).y).toBe(from.y);
  await page.mouse.up();
  // The handle stays under the pointer where it was grabbed: a quarter of the strip is a quarter of the film.
  expect((await times())[0]).toMatch(/^0:0(?:1\.9|2\.0)\d\d$/);

  const end = await box('End of the part');
  const touch = (type: string, x: number) =>
    slider('End of the part').dispatchEvent(type, {
      ...{ pointerId: 1, pointerType: 'touch', isPrimary: true, button: 0, bubbles: true },
      ...{ clientX: x, clientY: end.y },
    });
  // A synthetic pointer cannot be captured.
  await slider('End of the part').evaluate((element) => {
    (element as unknown as { setPointerCapture: () => void }).setPointerCapture = () => undefined;
  });
  await touch('pointerdown', end.x);
  await touch('pointermove', end.x - width / 4);
  await touch('pointerup', end.x - width / 4);
  await page.getByText('Ready.').waitFor();
  expect((await box('End of the part')).y).toBe(end.y);
  expect((await times())[1]).toMatch(/^0:0(?:5\.9|6\.0)\d\d$/);
  // On a phone, the strip has the times, and their options have no rows before the user asks for them.
  expect(await page.getByLabel('Value of ss').count()).toBe(0);
  // The picture of the position is over the button until the user goes on.
  await page.getByLabel('What to do').focus();
  await page.getByRole('button', { name: 'Source options' }).click();
  for (const name of ['ss', 'to']) await page.getByLabel(`Value of ${name}`).waitFor();
  await strip.getByRole('button', { name: 'Whole file' }).click();
  expect((await times())[0]).toBe('0:00.000');
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  await expectAccessible(page);
  expect(errors).toEqual([]);
});

test('the arguments of a recipe and the strip follow each other', async () => {
  const { page, errors, slider, times } = await editor('by-recipe');
  await page.getByLabel('What to do').fill('gif');
  await page.getByRole('button', { name: 'Animated GIF with a good palette' }).first().click();
  await expect.poll(times).toEqual(['0:00.000', '0:05.000']);
  await slider('Start of the part').press('Shift+ArrowRight');
  expect(await page.getByLabel(/^start$/i).inputValue()).toBe('1');
  expect(await page.getByLabel(/^length$/i).inputValue()).toBe('4');
  await page.getByLabel(/^length$/i).fill('2.5');
  await expect.poll(times).toEqual(['0:01.000', '0:03.500']);
  expect(errors).toEqual([]);
});

test('where the video is copied, the start goes from key frame to key frame', async () => {
  const { page, errors, strip, slider, times } = await editor('by-key-frames');
  await page.getByLabel('What to do').fill('cut without quality loss');
  await page.getByRole('button', { name: 'Cut out a part without re-encoding' }).first().click();
  await page.getByText('Ready.').waitFor();
  await page.getByLabel(/^start$/i).fill('1.2');
  await strip.getByText('it begins at the key frame 0:01.000').waitFor();
  await slider('Start of the part').press('ArrowRight');
  expect((await times())[0]).toBe('0:01.500');
  await slider('Start of the part').press('Shift+ArrowRight');
  await slider('Start of the part').press('ArrowLeft');
  expect((await times())[0]).toBe('0:02.000');
  expect(await strip.getByText('it begins at the key frame').count()).toBe(0);
  expect(errors).toEqual([]);
});

test('a person keeps several parts, and removes one again', async () => {
  const { page, errors, strip, slider, times, client } = await editor('several-parts');
  await slider('Start of the part').press('Shift+ArrowRight');
  await slider('End of the part').press('PageDown');
  await slider('End of the part').press('Shift+ArrowRight');
  await strip.getByRole('button', { name: 'Keep another part' }).click();
  const parts = strip.getByRole('list', { name: 'Kept parts' });
  expect(await parts.getByRole('listitem').count()).toBe(2);
  await parts.getByRole('button', { name: /^0:0[34]/ }).click();
  await expect.poll(async () => (await times())[0]).toMatch(/^0:0[34]/);
  await slider('Start of the part').press('Shift+ArrowRight');
  await page.getByText('Ready.').waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Convert', exact: true }).click();
  await expect.poll(async () => (await client.list()).jobs.length).toBe(1);
  const job = await client.wait((await client.list()).jobs[0]?.jobId ?? '');
  expect(job.status).toBe('COMPLETED');
  await parts.getByRole('button', { name: 'Remove part 2' }).click();
  expect(await parts.getByRole('listitem').count()).toBe(1);
  expect(errors).toEqual([]);
});

test('of several sources that are converted by themselves, each gets its own part, or all that of the recipe', async () => {
  const { server } = await start();
  const { page, errors, folder, client, signIn } = await consoleVisitor(open, server, 'each-part');
  for (const name of ['one.mp4', 'two.mp4']) await putSmallMovie(folder, 8, name);
  await signIn();
  const path = page.getByLabel('Or a stored file, or a URL');
  for (const name of ['one.mp4', 'two.mp4']) {
    await path.fill(name);
    await path.press('Enter');
    await page.getByRole('article', { name }).waitFor();
  }
  const second = page.getByRole('article', { name: 'two.mp4' });
  await second.getByText('Choose a part').click();
  const handle = second.getByRole('slider', { name: 'Start of the part' });
  await handle.press('Shift+ArrowRight');
  expect(await second.getByLabel('Value of ss').inputValue()).toBe('1');
  expect(await second.getByText('This applies to each source.').count()).toBe(0);
  await expectAccessible(page);
  await page.getByText(/^Ready\./).waitFor();
  await page.getByRole('button', { name: 'Convert all 2' }).click();
  await expect.poll(async () => (await client.list()).jobs.length).toBe(2);
  const { jobs } = await client.list();
  expect(jobs.map(({ input, inputs }) => inputs ?? input)).toEqual(
    expect.arrayContaining(['one.mp4', [{ input: 'two.mp4', parameters: { ss: '1' } }]]),
  );

  await second.getByRole('button', { name: 'Remove ss' }).click();
  await page.getByLabel('What to do').fill('gif');
  await page.getByRole('button', { name: 'Animated GIF with a good palette' }).first().click();
  await second.getByText('This applies to each source.').waitFor();
  await handle.press('Shift+ArrowRight');
  expect(await page.getByRole('textbox', { name: /^start$/i }).inputValue()).toBe('1');
  expect(errors).toEqual([]);
});

test('of several sources that are joined, each is read in part, as a person chooses', async () => {
  const { server } = await start();
  const { page, errors, folder, client, signIn } = await consoleVisitor(open, server, 'joined-parts');
  for (const name of ['one.mp4', 'two.mp4']) await putSmallMovie(folder, 8, name);
  await signIn();
  const path = page.getByLabel('Or a stored file, or a URL');
  for (const name of ['one.mp4', 'two.mp4']) {
    await path.fill(name);
    await path.press('Enter');
    await page.getByRole('article', { name }).waitFor();
  }
  await page.getByRole('radio', { name: 'Joined, one after the other' }).check();
  const first = page.getByRole('article', { name: 'one.mp4' });
  const second = page.getByRole('article', { name: 'two.mp4' });
  await first.getByText('Choose a part').click();
  await first.getByRole('slider', { name: 'End of the part' }).press('Home');
  for (let second = 0; second < 2; second++)
    await first.getByRole('slider', { name: 'End of the part' }).press('Shift+ArrowRight');
  await second.getByText('Choose a part').click();
  await second.getByRole('slider', { name: 'Start of the part' }).press('Shift+ArrowRight');
  expect(await second.getByText('This applies to each source.').count()).toBe(0);
  await expectAccessible(page);
  const bar = page.getByRole('group', { name: 'Run' });
  await expect.poll(() => bar.innerText(), { timeout: 60_000 }).toContain('Ready.');
  await page.getByRole('button', { name: 'Convert', exact: true }).click();
  await expect.poll(async () => (await client.list()).jobs.length).toBe(1);
  const [job] = (await client.list()).jobs;
  expect(job?.inputs).toEqual([
    { input: 'one.mp4', parameters: { to: expect.stringMatching(/^2\.0/) } },
    { input: 'two.mp4', parameters: { ss: '1' } },
  ]);
  const ended = await client.wait(job?.jobId ?? '');
  expect(ended.outputs?.[0]?.durationSeconds).toBeCloseTo(9, 0);
  expect(errors).toEqual([]);
});

test('a part that was found stays when another recipe is chosen, and is then in its fields', async () => {
  const { page, errors, slider, times } = await editor('keeper');
  const choose = async (words: string, title: RegExp) => {
    await page.getByLabel('What to do').fill(words);
    await page.getByRole('list', { name: 'Recipes' }).getByRole('button', { name: title }).first().click();
  };
  const field = (name: string) => page.getByRole('textbox', { name, exact: true });
  await choose('animated GIF', /^Animated GIF/);
  await field('Length').fill('3');
  await field('Start').fill('2');
  await slider('End of the part').press('ArrowRight');
  await expect.poll(times).toEqual(['0:02.000', '0:05.041']);
  await page.getByRole('button', { name: 'Choose another' }).click();
  await page.getByLabel('What to do').waitFor();
  expect(await times()).toEqual(['0:02.000', '0:05.041']);
  await choose('cut a part', /to the frame/);
  await expect.poll(() => field('Start').inputValue()).toBe('2');
  expect(await field('End').inputValue()).toBe('5.041');
  expect(await times()).toEqual(['0:02.000', '0:05.041']);
  expect(await page.getByLabel('Value of ss').count()).toBe(0);
  await page.getByRole('button', { name: 'Choose another' }).click();
  await choose('smaller file', /./);
  // This recipe has no times of its own, so the source has them.
  await expect.poll(() => page.getByLabel('Value of ss').inputValue()).toBe('2');
  expect(await times()).toEqual(['0:02.000', '0:05.041']);
  expect(errors).toEqual([]);
});

test('the picture of the strip moves nothing, and goes when the person does something else', async () => {
  const { page, errors, slider, strip } = await editor('unmoved');
  const place = async () => (await page.getByRole('region', { name: 'Recipe', exact: true }).boundingBox())?.y;
  await page.getByText(/^Ready\./).waitFor();
  const before = await place();
  const picture = strip.getByLabel('Frame at the position in in.mp4');
  await slider('Start of the part').press('Shift+ArrowRight');
  await picture.waitFor();
  await page.getByLabel('Value of ss').waitFor();
  const withOptions = await place();
  await slider('Start of the part').press('ArrowLeft');
  expect(await place()).toBe(withOptions);
  await slider('Start of the part').press('Home');
  await page.getByLabel('Value of ss').waitFor({ state: 'detached' });
  expect(await place()).toBe(before);
  await expectAccessible(page);
  await page.getByLabel('What to do').focus();
  await picture.waitFor({ state: 'hidden' });
  expect(errors).toEqual([]);
});
