import type { UsageList } from '@telecine/client';
import { formatBytes, quantity } from '../../ui/format.ts';

/** What the space of the disk is used for. `detail`: what the value is a part of. */
export interface SpaceFigure {
  readonly name: string;
  readonly part: SpaceShare['part'];
  readonly value: string;
  readonly detail?: string;
  /** Whether little of the disk is free. */
  readonly isLow?: boolean;
}

/** A smaller share of free space is low. Monitoring often warns at a fifth, and there is still time to make room. */
const LOW = 0.2;

/** The space of the disk by what uses it, in the order of the bar. The parts add up to the size of the disk. */
export function spaceFigures({ disk, total }: Pick<UsageList, 'disk' | 'total'>): readonly SpaceFigure[] {
  const ofClients: readonly SpaceFigure[] = [
    {
      name: 'Files of clients',
      part: 'clients',
      value: formatBytes(total.storedBytes),
      ...smallShare(total.storedBytes, disk),
    },
    { name: 'Bins', part: 'bins', value: formatBytes(total.binBytes), ...smallShare(total.binBytes, disk) },
  ];
  if (disk === undefined) return ofClients;
  return [...ofClients, { name: 'Other data', part: 'other', value: formatBytes(disk.otherBytes) }, freeFigure(disk)];
}

/** The free space of a disk. */
export const freeFigure = ({
  totalBytes,
  freeBytes,
}: Pick<NonNullable<UsageList['disk']>, 'totalBytes' | 'freeBytes'>): SpaceFigure => ({
  name: 'Free',
  part: 'free',
  value: formatBytes(freeBytes),
  detail: `${percentOf(freeBytes, totalBytes)} of ${formatBytes(totalBytes)}`,
  isLow: freeBytes < LOW * totalBytes,
});

/** A smaller share is as wide in the bar as this one, so its figure says that it is less. */
const SMALL = 0.001;

const smallShare = (bytes: number, disk: UsageList['disk']): Pick<SpaceFigure, 'detail'> =>
  disk !== undefined && bytes > 0 && bytes < SMALL * disk.totalBytes
    ? { detail: `<${quantity(0.1, '%')} of the disk` }
    : {};

/** A share as whole percent, rounded down: a disk with less than one percent is at 0 %. */
const percentOf = (part: number, whole: number): string => quantity(Math.floor((100 * part) / Math.max(1, whole)), '%');

/** A share of all stored files: `42 %`, `<1 %`. */
export function shareText(bytes: number, all: number): string {
  const percent = (100 * bytes) / Math.max(1, all);
  return bytes > 0 && percent < 1 ? `<${quantity(1, '%')}` : quantity(Math.round(percent), '%');
}

/** The shares of the disk, for a bar. Empty: the size of the disk is not known. */
export function spaceShares({ disk, total }: Pick<UsageList, 'disk' | 'total'>): readonly SpaceShare[] {
  if (disk === undefined) return [];
  return [
    { part: 'clients', bytes: total.storedBytes },
    { part: 'bins', bytes: total.binBytes },
    { part: 'other', bytes: disk.otherBytes },
    { part: 'free', bytes: disk.freeBytes },
  ];
}

export interface SpaceShare {
  readonly part: 'clients' | 'bins' | 'other' | 'free';
  readonly bytes: number;
}
