import { dirname } from 'node:path';
import type { CgroupFiles } from '../../packages/ffmpeg/src/sandbox/cgroup/delegated-cgroup.ts';

const errno = (code: string): Error => Object.assign(new Error(code), { code });

/** When each simulated process started: services have the same id again, but not the same start. */
const START = '5000';

/**
 * Simulates the kernel's cgroup file system, for machines whose kernel has no controllers. It has only the rules of
 * cgroup v2 that the service depends on. `/unit` is a cgroup with these processes, which belongs to `owner`.
 */
export function cgroupsInMemory(owner: number, pids: readonly number[], controllers = 'cpuset cpu memory pids') {
  const groups = new Map<string, Map<string, string>>();
  const at = (group: string): Map<string, string> => {
    const files = groups.get(group);
    if (files === undefined) throw errno('ENOENT');
    return files;
  };
  const processes = new Map(pids.map((pid) => [pid, '/unit']));
  const pidsIn = (group: string) => [...processes].flatMap(([pid, where]) => (where === group ? [pid] : []));
  const add = (group: string, available: string): void => {
    const names = ['cgroup.type', 'cgroup.kill', 'cgroup.subtree_control', 'cgroup.events'];
    const files = new Map(names.map((name) => [name, '']));
    files.set('cgroup.controllers', available);
    if (available.includes('memory'))
      for (const name of ['max', 'swap.max', 'oom.group', 'events']) files.set(`memory.${name}`, '');
    if (available.includes('pids')) files.set('pids.max', '');
    if (available.includes('cpu ')) files.set('cpu.weight.nice', '');
    groups.set(group, files);
  };
  add('/unit', controllers);
  const files: CgroupFiles = {
    ownerOf: async (group) => {
      at(group);
      return owner;
    },
    canWrite: async () => true,
    read: async (group, name) => {
      if (name === 'cgroup.procs') return pidsIn(group).join('\n');
      const text = at(group).get(name);
      if (text === undefined) throw errno('ENOENT');
      return text;
    },
    write: async (group, name, text) => {
      const here = at(group);
      if (name === 'cgroup.procs') {
        if (!processes.has(Number(text))) throw errno('ESRCH');
        if (here.get('cgroup.subtree_control') !== '') throw errno('EBUSY');
        processes.set(Number(text), group);
        return;
      }
      if (!here.has(name)) throw errno('ENOENT');
      if (name === 'cgroup.kill') for (const pid of pidsIn(group)) processes.delete(pid);
      if (name !== 'cgroup.subtree_control') {
        here.set(name, text);
        return;
      }
      if (pidsIn(group).length > 0) throw errno('EBUSY');
      here.set(name, `${here.get(name)}${text.slice(1)} `);
    },
    inner: async (group) =>
      [...groups.keys()].filter((one) => dirname(one) === group).map((one) => one.slice(group.length + 1)),
    make: async (group) => {
      if (groups.has(group)) throw errno('EEXIST');
      add(group, at(dirname(group)).get('cgroup.subtree_control') ?? '');
    },
    remove: async (group) => {
      if (pidsIn(group).length > 0) throw errno('EBUSY');
      at(group);
      groups.delete(group);
    },
  };
  return {
    files,
    groups,
    pidsIn,
    startOf: (pid: number) => (processes.has(pid) ? START : undefined),
    end: (pid: number) => void processes.delete(pid),
    start: (pid: number, group: string) => void processes.set(pid, group),
    fileOf: (group: string, name: string) => groups.get(group)?.get(name),
  };
}
