import { expect, inject } from 'vitest';
import { testFolder } from '../support/folders.ts';
import { needs } from '../support/needs.ts';
import { tools } from '../support/tools.ts';
import { answerExamples } from './answer-examples.ts';
import { writeManualMedia } from './manual-media.ts';
import { answersFile, printAnswers } from './recorded-answers.ts';

needs('ffmpeg', 'the manual of ffmpeg')('the examples of the manual are answered as recorded', async () => {
  const manual = inject('manual');
  if (manual === undefined) throw new Error('There is no manual.');
  const media = await testFolder();
  const ffmpeg = tools().ffmpegPath;
  await writeManualMedia(ffmpeg, media);
  const answers = await answerExamples({ ffmpeg, version: manual.version, manual: manual.folder, media });
  await expect(printAnswers(answers)).toMatchFileSnapshot(answersFile(manual.version));
});
