import { VersionTable } from '../version-table.ts';
import { WatchMemory } from '../watch-memory.ts';

/** What the lists of a watched folder in a bucket remember: the version of each object, by its key. */
export class BucketMemory extends WatchMemory {
  readonly storage = 'bucket';
  objects = new VersionTable();
  unusable = 0;

  get files(): number {
    return this.objects.size;
  }
}
