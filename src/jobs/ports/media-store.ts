import type { Mount } from '../../domain/plan.ts';
import type { InputStaging, StagedInput } from './input-staging.ts';
import type { PathStats } from './path-stats.ts';
import type { Publishing } from './publishing.ts';
import type { Scratch, ScratchSpace } from './scratch-space.ts';

/** Local paths for the code that runs ffmpeg, which reads and writes local files whatever the engine. */
export interface ConverterFiles {
  /** Returns the absolute path of a scratch folder on this machine. ffmpeg writes to `out/` and `pass/` in it. */
  scratchFolder(scratch: Scratch): string;
  /** Returns the local paths of staged inputs. */
  mounts(inputs: readonly StagedInput[]): readonly Mount[];
}

/** A media engine. Each caller depends only on the parts that it uses. Every method throws `JobFailed`. */
export interface MediaStore extends PathStats, ScratchSpace, InputStaging, ConverterFiles, Publishing {}
