import Ban from 'lucide-react/icons/ban';
import CircleAlert from 'lucide-react/icons/circle-alert';
import CircleCheck from 'lucide-react/icons/circle-check';
import CircleDashed from 'lucide-react/icons/circle-dashed';
import CirclePause from 'lucide-react/icons/circle-pause';
import CirclePlay from 'lucide-react/icons/circle-play';
import LoaderCircle from 'lucide-react/icons/loader-circle';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import type { ReactNode } from 'react';
import styles from './status.module.css';
import type { Tone } from './tone.ts';

const ICONS = {
  waiting: CircleDashed,
  running: CirclePlay,
  paused: CirclePause,
  good: CircleCheck,
  warn: TriangleAlert,
  bad: CircleAlert,
  soft: Ban,
} as const satisfies Readonly<Record<Tone, unknown>>;

/** A state as a word with an icon, in the colour of its meaning. `isMoving`: it makes progress now. */
export function Status({
  tone,
  isMoving = false,
  isQuiet = false,
  icon,
  children,
}: {
  readonly tone: Tone;
  readonly isMoving?: boolean;
  /** Whether it is what is expected, one of many: only the icon has the colour. */
  readonly isQuiet?: boolean;
  /** Default: that of the tone. */
  readonly icon?: typeof Ban;
  readonly children: ReactNode;
}) {
  const Icon = icon ?? (isMoving ? LoaderCircle : ICONS[tone]);
  return (
    <span className={styles.status} data-tone={tone} data-moves={isMoving} data-quiet={isQuiet}>
      <Icon />
      {children}
    </span>
  );
}
