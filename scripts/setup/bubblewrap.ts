import { command, onPath } from './command.ts';

const VIEW = ['--unshare-pid', '--unshare-net', '--die-with-parent', '--ro-bind', '/', '/', '--', 'true'];

/** What bubblewrap is here: `missing`, there but `refused` by the kernel or container, or `works`. */
export async function bubblewrapState(): Promise<'missing' | 'refused' | 'works'> {
  if (process.platform !== 'linux') return 'missing';
  const bwrap = onPath('bwrap');
  if (bwrap === undefined || onPath('prlimit') === undefined) return 'missing';
  if ((await command(bwrap, ['--unshare-user', ...VIEW])).ok) return 'works';
  // Without user namespaces, root can still make the other ones.
  return process.getuid?.() === 0 && (await command(bwrap, VIEW)).ok ? 'works' : 'refused';
}
