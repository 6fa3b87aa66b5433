import type { Catalogue } from '../../packages/ffmpeg/src/catalogue/catalogue.ts';
import { recordedCatalogue } from './recorded-catalogue.ts';
import { ffmpegRelease } from './tools.ts';

/** A recorded catalogue by which plans are as with the installed ffmpeg: they depend on its release. */
export const installedCatalogue = (): Catalogue => recordedCatalogue(ffmpegRelease() < 6 ? '5.1' : '7.1');
