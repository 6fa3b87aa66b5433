import type { RecipeDefinition } from '@telecine/client';
import ArrowRight from 'lucide-react/icons/arrow-right';
import Captions from 'lucide-react/icons/captions';
import File from 'lucide-react/icons/file';
import FilmIcon from 'lucide-react/icons/film';
import ImageIcon from 'lucide-react/icons/image';
import Music from 'lucide-react/icons/music';
import { type ComponentType, Fragment } from 'react';
import { WithCode } from '../ui/with-code.tsx';
import { argumentLabel } from '../workbench/argument-label.ts';
import { recipeFacts } from './recipe-facts.ts';
import styles from './recipe-flow.module.css';
import { exampleRequest, trialDraft } from './trial.ts';

/** The icons of the usual roles of inputs. Others are files of any kind. */
const ROLES: Readonly<Record<string, ComponentType>> = {
  film: FilmIcon,
  video: FilmIcon,
  inset: FilmIcon,
  left: FilmIcon,
  right: FilmIcon,
  sound: Music,
  audio: Music,
  music: Music,
  picture: ImageIcon,
  pictures: ImageIcon,
  image: ImageIcon,
  logo: ImageIcon,
  subtitles: Captions,
};

/** The icon of an output by its extension. Others are videos. */
function iconOf(extension: string): ComponentType {
  if (/^(?:aac|aiff?|flac|m4a|mka|mp3|oga|ogg|opus|wav)$/.test(extension)) return Music;
  if (/^(?:avif|gif|jpe?g|png|tiff?|webp)$/.test(extension)) return ImageIcon;
  return /^(?:ass|srt|vtt)$/.test(extension) ? Captions : FilmIcon;
}

/** What a recipe does, as a picture: what it reads, what happens, and what it writes. */
export function RecipeFlow({ definition, name }: { readonly definition: RecipeDefinition; readonly name: string }) {
  const { inputs, outputs, request } = definition;
  const { output = '' } = exampleRequest(definition, name, trialDraft(definition, name));
  const [extension = 'mp4', ...others] = outputs;
  const further = request.outputs?.slice(1) ?? [];
  return (
    <ol className={styles.flow} aria-label="What the recipe does">
      <li>
        <h2 className={styles.heading}>Reads</h2>
        <ul className={styles.files}>
          {inputs.map(({ role, description, optional, many }) => (
            <Thing
              key={role}
              icon={(Object.hasOwn(ROLES, role) ? ROLES[role] : undefined) ?? File}
              name={`${argumentLabel(role)}${many ? ', any number' : ''}${optional ? ' (optional)' : ''}`}
              text={description}
            />
          ))}
        </ul>
      </li>
      <li>
        <Arrow />
        <h2 className={styles.heading}>What happens</h2>
        <Facts definition={definition} extension={extension} />
      </li>
      <li>
        <Arrow />
        <h2 className={styles.heading}>Writes</h2>
        <ul className={styles.files}>
          <Thing
            icon={iconOf(extension)}
            name={output.slice(output.lastIndexOf('/') + 1)}
            text={others.length === 0 ? '' : `Or ${others.map((one) => `.${one}`).join(', ')}, as you name it.`}
          />
          {further.map(({ role, description, suffix = '' }) => (
            <Thing
              key={role}
              icon={iconOf(suffix.split('.').at(-1) ?? '')}
              name={`${output.slice(output.lastIndexOf('/') + 1).replace(/\.[^.]*$/, '')}${suffix}`}
              text={description}
            />
          ))}
        </ul>
      </li>
    </ol>
  );
}

const Arrow = () => (
  <span aria-hidden="true" className={styles.arrow}>
    <ArrowRight />
  </span>
);

const Thing = ({
  icon: Icon,
  name,
  text,
}: {
  readonly icon: ComponentType;
  readonly name: string;
  readonly text: string;
}) => (
  <li>
    <span className={styles.icon}>
      <Icon />
    </span>
    <span>
      <strong>{name}</strong>
      {text !== '' && (
        <span className={styles.text}>
          <WithCode text={text} />
        </span>
      )}
    </span>
  </li>
);

function Facts({ definition, extension }: { readonly definition: RecipeDefinition; readonly extension: string }) {
  const { video, audio, subtitle, filters, more } = recipeFacts(definition);
  const streams = [
    ['Video', video],
    ['Audio', audio],
    ['Subtitles', subtitle],
  ] as const;
  const known = streams.filter(([, text]) => text !== undefined);
  return (
    <dl className={styles.facts}>
      {known.map(([name, text]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{text}</dd>
        </div>
      ))}
      {known.length === 0 && (
        <div>
          <dt>Encoders</dt>
          <dd>As usual for .{extension}</dd>
        </div>
      )}
      {filters.length > 0 && (
        <div>
          <dt>Filters</dt>
          <dd>
            {filters.map((filter, index) => (
              <Fragment key={filter}>
                {index > 0 && <span aria-hidden="true"> → </span>}
                <code>{filter}</code>
              </Fragment>
            ))}
          </dd>
        </div>
      )}
      {more.map((text) => (
        <div key={text}>
          <dt>Also</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  );
}
