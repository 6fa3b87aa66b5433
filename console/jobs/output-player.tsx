import type { Job } from '@telecine/client';
import styles from './output-player.module.css';

type Output = NonNullable<Job['outputs']>[number];

const PICTURE = /\.(?:jpe?g|png|webp|gif|avif)$/i;
const FILM = /\.(?:mp4|m4v|webm|mov)$/i;
const SOUND = /\.(?:mp3|m4a|aac|ogg|opus|wav|flac)$/i;

/** Shows the first output that browsers can show by themselves. */
export function OutputPlayer({ job }: { readonly job: Job }) {
  if (job.outputs === undefined || job.expired || job.links.output === undefined) return null;
  const shown = job.outputs.find(({ path }) => [PICTURE, FILM, SOUND].some((kind) => kind.test(path)));
  if (shown === undefined) return null;
  const address = `${job.links.output}?path=${encodeURIComponent(shown.path)}`;
  return <Player output={shown} address={address} />;
}

function Player({ output: { path }, address }: { readonly output: Output; readonly address: string }) {
  if (PICTURE.test(path)) return <img className={styles.media} src={address} alt={path} />;
  // biome-ignore lint/a11y/useMediaCaption: what the job made has captions or not.
  if (SOUND.test(path)) return <audio className={styles.sound} src={address} controls preload="metadata" />;
  // biome-ignore lint/a11y/useMediaCaption: see above.
  return <video className={styles.media} src={address} controls preload="metadata" />;
}
