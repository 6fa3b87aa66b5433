import { Autocomplete } from '@base-ui/react/autocomplete';
import { Dialog } from '@base-ui/react/dialog';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { Session } from '@telecine/client';
import CornerDownLeft from 'lucide-react/icons/corner-down-left';
import File from 'lucide-react/icons/file';
import Folder from 'lucide-react/icons/folder';
import ListVideo from 'lucide-react/icons/list-video';
import PanelTop from 'lucide-react/icons/panel-top';
import WandSparkles from 'lucide-react/icons/wand-sparkles';
import type { LucideIcon } from 'lucide-react/types';
import { useRef, useState } from 'react';
import { folderOf } from '../files/file-list.ts';
import { folderQuery } from '../files/files-query.ts';
import { operatePagesOf } from '../operate/operate-pages.ts';
import { mayDo } from '../session/may-do.ts';
import { DialogBackdrop } from '../ui/dialog-backdrop.tsx';
import { Moment } from '../ui/moment.tsx';
import { useDebounced } from '../ui/use-debounced.ts';
import { mayMakeWatches } from '../watches/watches-query.ts';
import { recipesQuery } from '../workbench/recipes-query.ts';
import { client } from './client.ts';
import { foundJobs } from './found-jobs.ts';
import styles from './palette.module.css';
import {
  fileItems,
  jobItems,
  MAX_ITEMS,
  orderGroups,
  type PagePath,
  type PaletteGroup,
  type PaletteItem,
  pageItems,
  pathParts,
  recipeItems,
  type Target,
} from './palette-items.ts';

interface Props {
  readonly session: Session;
  readonly onClose: () => void;
  readonly onKeys: () => void;
}

const PAUSE_MS = 150;

/** Finds pages, recipes, jobs and files by their names, and opens them. */
export function Palette({ session, onClose, onKeys }: Props) {
  const [text, setText] = useState('');
  const groups = useGroups(session, text.trim());
  const go = useOpenTarget();
  // Base UI would remember the field instead, which gets the focus before Base UI looks.
  const [opener] = useState(() => document.activeElement);
  const hasChosen = useRef(false);
  const open = (target: Target): void => {
    hasChosen.current = true;
    onClose();
    if (target.to === 'keys') onKeys();
    else void go(target);
  };
  return (
    <Dialog.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Dialog.Portal>
        <DialogBackdrop />
        <Dialog.Popup
          className={styles.palette}
          aria-label="Search everything"
          finalFocus={() => !hasChosen.current && (opener instanceof HTMLElement ? opener : true)}
        >
          <Autocomplete.Root
            open
            inline
            mode="none"
            items={groups}
            value={text}
            onValueChange={(value, { reason }) => reason !== 'item-press' && setText(value)}
            itemToStringValue={({ title }: PaletteItem) => title}
            autoHighlight="always"
            keepHighlight
          >
            <Autocomplete.Input
              ref={focusAtOnce}
              className={styles.input}
              aria-label="Search pages, recipes, jobs and files"
              placeholder="Search pages, recipes, jobs and files"
              spellCheck={false}
              autoCapitalize="none"
            />
            <Autocomplete.Empty className={styles.none}>Nothing matches.</Autocomplete.Empty>
            <Autocomplete.List className={styles.list} aria-label="Found">
              {(group: PaletteGroup) => (
                <Autocomplete.Group key={group.name} items={group.items}>
                  <Autocomplete.GroupLabel className={styles.label}>{group.name}</Autocomplete.GroupLabel>
                  <Autocomplete.Collection>
                    {(item: PaletteItem) => (
                      <Autocomplete.Item
                        key={item.key}
                        value={item}
                        className={styles.item}
                        onClick={() => open(item.target)}
                      >
                        <Icon target={item.target} />
                        <span className={styles.title}>{item.title}</span>
                        {item.detail !== undefined && <span className={styles.detail}>{item.detail}</span>}
                        {item.at !== undefined && (
                          <span className={styles.at}>
                            <Moment at={item.at} />
                          </span>
                        )}
                        <CornerDownLeft className={styles.enter} />
                      </Autocomplete.Item>
                    )}
                  </Autocomplete.Collection>
                </Autocomplete.Group>
              )}
            </Autocomplete.List>
          </Autocomplete.Root>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** Base UI moves the focus some frames later, and keys that are pressed before would be lost. */
const focusAtOnce = (input: HTMLInputElement | null): void => input?.focus({ preventScroll: true });

/** Returns a function that goes to where an item leads. */
function useOpenTarget(): (target: Exclude<Target, { to: 'keys' }>) => Promise<void> {
  const navigate = useNavigate();
  return (target) => {
    switch (target.to) {
      case 'page':
        return navigate({ to: target.path });
      case 'recipe':
        return navigate({ to: '/', search: { recipe: target.name } });
      case 'job':
        return navigate({ to: '/jobs/$jobId', params: { jobId: target.jobId } });
      case 'jobs':
        return navigate({ to: '/jobs', search: { q: target.q } });
      case 'folder':
        return navigate({ to: '/files', search: { folder: target.folder } });
      case 'file': {
        const folder = folderOf(target.file);
        return navigate({ to: '/files', search: { ...(folder && { folder }), file: target.file } });
      }
    }
  };
}

const ICONS: Readonly<Record<Target['to'], LucideIcon>> = {
  page: PanelTop,
  keys: PanelTop,
  recipe: WandSparkles,
  job: ListVideo,
  jobs: ListVideo,
  folder: Folder,
  file: File,
};

function Icon({ target }: { readonly target: Target }) {
  const Shown = ICONS[target.to];
  return <Shown />;
}

function useGroups(session: Session, text: string): readonly PaletteGroup[] {
  const q = useDebounced(text, PAUSE_MS);
  const isSearch = q !== '';
  const recipes = useQuery({
    ...recipesQuery(q),
    placeholderData: keepPreviousData,
  });
  const jobs = useQuery({
    queryKey: ['palette', 'jobs', q],
    queryFn: ({ signal }) => foundJobs(client.list, q, { enough: MAX_ITEMS, signal }),
    placeholderData: keepPreviousData,
    enabled: isSearch && mayDo(session, 'jobs:read'),
    staleTime: 10_000,
  });
  const path = pathParts(q);
  const files = useQuery({
    ...folderQuery(path.folder),
    enabled: isSearch && mayDo(session, 'files:read'),
    staleTime: 10_000,
  });
  const pages: readonly { readonly path: PagePath; readonly name: string }[] = [
    { path: '/', name: 'Workbench' },
    { path: '/jobs', name: 'Jobs' },
    ...(mayDo(session, 'files:read') ? [{ path: '/files', name: 'Files' } as const] : []),
    ...(mayDo(session, 'jobs:read') ? [{ path: '/watches', name: 'Watches' } as const] : []),
    ...(mayMakeWatches(session) ? [{ path: '/watches/new', name: 'New watch' } as const] : []),
    ...(mayDo(session, 'jobs:read') ? [{ path: '/recipes', name: 'Your recipes' } as const] : []),
    ...operatePagesOf(session).map(({ to, name }) => ({ path: to, name })),
  ];
  const keys: readonly PaletteItem[] = [{ key: 'keys', title: 'Keyboard', target: { to: 'keys' } }];
  const groups = [
    { name: 'Pages', items: [...pageItems(pages, text), ...(text === '' ? keys : [])] },
    // Without words, the service lists all recipes. With words, it lists similar ones if none matches.
    {
      name: 'Recipes',
      items: isSearch && recipes.data?.close !== false ? recipeItems(recipes.data?.recipes ?? []) : [],
    },
    { name: 'Files', items: isSearch ? fileItems(files.data?.entries ?? [], path.q) : [] },
    { name: 'Jobs', items: jobItems(jobs.data ?? [], q) },
  ];
  return orderGroups(groups, q);
}
