/** The kernel's answer to a denied system call. `kill`: only an attack makes the call. An errno: libraries work without it. */
export type Answer = 'kill' | 'EPERM' | 'EACCES' | 'ENOSYS';

/** Tests the low 32 bits of the argument with this index. The kernel ignores the high bits of the arguments tested here. */
export interface ArgumentTest {
  readonly argument: number;
  readonly test: 'equals' | 'differs from' | 'has a bit of' | 'has no bit of';
  readonly value: number;
}

export interface DeniedCalls {
  /** Names of system calls. An architecture may lack some of them. */
  readonly calls: readonly string[];
  readonly answer: Answer;
  /** The calls are denied only if all these tests are true. */
  readonly when?: readonly ArgumentTest[];
  /**
   * Present if the calls are denied only where ffmpeg shares process ids, signals and message queues with the machine. In namespaces, the
   * calls reach only processes of the job, and timeout(1), which also runs there, needs `fork` and `kill`.
   */
  readonly onlyWithoutNamespaces?: true;
}

/** The flags of clone(2) that create namespaces. */
const CLONE_NEW = 0x7e02_0000;
/** The flag of clone(2) that starts a thread instead of a process. */
const CLONE_THREAD = 0x0001_0000;
/** The flag of clone(2) that shares the open files. */
const CLONE_FILES = 0x0000_0400;

const argument = (index: number, test: ArgumentTest['test'], value: number): readonly ArgumentTest[] => [
  { argument: index, test, value },
];

/**
 * System calls that ffmpeg and ffprobe never need. With them, ffmpeg could bypass what restricts all other calls: the mounts, the
 * namespaces, Landlock, and the kernel's permissions.
 */
export const DENIED_CALLS: readonly DeniedCalls[] = [
  // The network. Also socketpair(2): its datagram sockets can send to any Unix socket of the machine.
  { calls: ['socket', 'socketpair'], answer: 'EACCES' },
  // Also calls for sockets: standard output and error are sockets, but need none of these calls.
  { calls: ['connect', 'bind', 'listen', 'accept', 'accept4'], answer: 'EACCES' },
  { calls: ['sendto', 'sendmsg', 'sendmmsg', 'recvmsg', 'recvmmsg'], answer: 'EACCES' },

  // Access to the memory and the descriptors of other processes.
  { calls: ['ptrace', 'process_vm_readv', 'process_vm_writev', 'process_madvise'], answer: 'kill' },
  // Drivers of graphics cards try `kcmp`, and work without it.
  { calls: ['kcmp'], answer: 'EPERM' },
  { calls: ['pidfd_open', 'pidfd_getfd', 'pidfd_send_signal', 'process_mrelease'], answer: 'EPERM' },
  { calls: ['prlimit64'], answer: 'EPERM', when: argument(0, 'differs from', 0) },
  { calls: ['move_pages', 'migrate_pages'], answer: 'EPERM', when: argument(0, 'differs from', 0) },

  // Namespaces and mounts. A filter cannot see the flags of clone3(2). If clone3(2) is missing, glibc uses clone(2).
  { calls: ['clone3'], answer: 'ENOSYS' },
  { calls: ['clone'], answer: 'kill', when: argument(0, 'has a bit of', CLONE_NEW) },
  { calls: ['unshare', 'setns', 'mount', 'umount2', 'pivot_root', 'chroot'], answer: 'kill' },
  { calls: ['move_mount', 'open_tree', 'fsopen', 'fsconfig', 'fsmount', 'fspick', 'mount_setattr'], answer: 'kill' },

  // Parts of the kernel that attacks use, but ffmpeg does not.
  { calls: ['bpf', 'kexec_load', 'kexec_file_load', 'open_by_handle_at'], answer: 'kill' },
  { calls: ['init_module', 'finit_module', 'delete_module', 'create_module', 'modify_ldt'], answer: 'kill' },
  { calls: ['iopl', 'ioperm', 'uselib', 'reboot', 'swapon', 'swapoff', 'acct', 'nfsservctl'], answer: 'kill' },
  { calls: ['io_uring_setup', 'io_uring_enter', 'io_uring_register'], answer: 'ENOSYS' },
  // Asynchronous I/O, because the machine has a limited number of such requests for all users together.
  { calls: ['io_setup', 'io_destroy', 'io_submit', 'io_cancel', 'io_getevents', 'io_pgetevents'], answer: 'ENOSYS' },
  { calls: ['userfaultfd', 'perf_event_open', 'lookup_dcookie', 'vmsplice'], answer: 'ENOSYS' },
  // With these calls, all programs of the machine would wait for the disks.
  { calls: ['sync', 'syncfs'], answer: 'EPERM' },
  { calls: ['add_key', 'request_key', 'keyctl'], answer: 'ENOSYS' },
  { calls: ['name_to_handle_at', 'quotactl', 'quotactl_fd', 'syslog', 'vhangup', 'sysfs'], answer: 'EPERM' },
  { calls: ['sethostname', 'setdomainname', 'settimeofday', 'clock_settime'], answer: 'EPERM' },
  { calls: ['personality'], answer: 'EPERM', when: argument(0, 'differs from', 0xffff_ffff) },
  // TIOCSTI and TIOCLINUX, which can put characters into the input of a terminal.
  { calls: ['ioctl'], answer: 'EPERM', when: argument(1, 'equals', 0x5412) },
  { calls: ['ioctl'], answer: 'EPERM', when: argument(1, 'equals', 0x541c) },

  // Memory that no limit of the process counts, and that can outlive the process or be shared with others.
  { calls: ['memfd_create', 'memfd_secret'], answer: 'ENOSYS' },
  { calls: ['shmget', 'shmat', 'shmctl', 'shmdt', 'semget', 'semop', 'semctl', 'semtimedop'], answer: 'EPERM' },
  { calls: ['msgget', 'msgsnd', 'msgrcv', 'msgctl'], answer: 'EPERM' },
  { calls: ['mq_open', 'mq_unlink'], answer: 'EPERM' },

  // Landlock does not check these calls. A watch shows the names of files in a folder that cannot be listed, and all processes of a user
  // share a limited number of watches. Attributes can be as secret as the file.
  { calls: ['inotify_init', 'inotify_init1', 'inotify_add_watch', 'inotify_rm_watch'], answer: 'ENOSYS' },
  { calls: ['fanotify_init', 'fanotify_mark'], answer: 'ENOSYS' },
  { calls: ['getxattr', 'lgetxattr', 'fgetxattr', 'listxattr', 'llistxattr', 'flistxattr'], answer: 'EPERM' },

  // Landlock does not check these calls. With them, ffmpeg could keep the service from measuring and removing its files.
  { calls: ['chmod', 'fchmod', 'fchmodat', 'chown', 'fchown', 'lchown', 'fchownat'], answer: 'EPERM' },
  { calls: ['utime', 'utimes', 'utimensat', 'futimesat'], answer: 'EPERM' },
  { calls: ['setxattr', 'lsetxattr', 'fsetxattr', 'removexattr', 'lremovexattr', 'fremovexattr'], answer: 'EPERM' },

  // `deletedFileBytes` reads the open files of a process once. A thread with its own table of open files could hide files.
  {
    calls: ['clone'],
    answer: 'EPERM',
    when: [...argument(0, 'has a bit of', CLONE_THREAD), ...argument(0, 'has no bit of', CLONE_FILES)],
  },

  // Signals: with F_SETOWN or FIOSETOWN, a descriptor could send any signal to any process of the same user.
  { calls: ['fcntl'], answer: 'EPERM', when: argument(1, 'equals', 8) },
  { calls: ['fcntl'], answer: 'EPERM', when: argument(1, 'equals', 10) },
  { calls: ['fcntl'], answer: 'EPERM', when: argument(1, 'equals', 15) },
  // F_SETLEASE delays other processes that open the file. F_NOTIFY is the predecessor of inotify.
  { calls: ['fcntl'], answer: 'EPERM', when: argument(1, 'equals', 1024) },
  { calls: ['fcntl'], answer: 'EPERM', when: argument(1, 'equals', 1026) },
  { calls: ['ioctl'], answer: 'EPERM', when: argument(1, 'equals', 0x8901) },
  { calls: ['ioctl'], answer: 'EPERM', when: argument(1, 'equals', 0x8902) },
  { calls: ['kill'], answer: 'EPERM', when: argument(1, 'differs from', 0), onlyWithoutNamespaces: true },
  { calls: ['tkill'], answer: 'EPERM', when: argument(1, 'differs from', 0), onlyWithoutNamespaces: true },
  { calls: ['tgkill'], answer: 'EPERM', when: argument(2, 'differs from', 0), onlyWithoutNamespaces: true },
  { calls: ['rt_sigqueueinfo', 'rt_tgsigqueueinfo'], answer: 'EPERM', onlyWithoutNamespaces: true },

  // ffmpeg could start processes that outlive it, or change PR_SET_PDEATHSIG, which ends ffmpeg with the service.
  { calls: ['clone'], answer: 'EPERM', when: argument(0, 'has no bit of', CLONE_THREAD), onlyWithoutNamespaces: true },
  { calls: ['fork', 'vfork'], answer: 'EPERM', onlyWithoutNamespaces: true },
  { calls: ['prctl'], answer: 'EPERM', when: argument(0, 'equals', 1), onlyWithoutNamespaces: true },

  // Changes of the priority and the processors of other processes.
  { calls: ['setpriority', 'ioprio_set'], answer: 'EPERM', when: argument(1, 'differs from', 0) },
  { calls: ['setpriority'], answer: 'EPERM', when: argument(0, 'differs from', 0) },
  { calls: ['ioprio_set'], answer: 'EPERM', when: argument(0, 'differs from', 1) },
  {
    calls: ['sched_setscheduler', 'sched_setparam', 'sched_setattr'],
    answer: 'EPERM',
    when: argument(0, 'differs from', 0),
  },
  { calls: ['sched_setaffinity'], answer: 'EPERM', when: argument(0, 'differs from', 0), onlyWithoutNamespaces: true },
];
