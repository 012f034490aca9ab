/** What `lstat` says about one folder of a path, as far as the rule needs it. */
export interface FolderStat {
  uid: number;
  gid: number;
  /** Permission bits with the sticky bit, such as `0o1777`. */
  mode: number;
}

const GROUP_WRITE = 0o020;
const OTHER_WRITE = 0o002;
const STICKY = 0o1000;

/**
 * Whether nobody but `uid` and root can change what lies at the end of a path (specification 5.2: a folder that
 * another user can write is never executed).
 *
 * @param chain Every folder of the path as it really lies (links resolved), the root of the file system first.
 *   A folder above ours may be shared when it is sticky (`/tmp`), or writable by the user's private group, whose
 *   number is the user's own. Its owner is root or the user.
 * @param own How many folders at the end of `chain` are ours: they must be 0700 and belong to the user.
 */
export function isPrivateFolder(chain: readonly FolderStat[], own: number, uid: number): boolean {
  const above = chain.length - own;
  return chain.every((folder, index) => {
    if (index >= above) return folder.uid === uid && (folder.mode & 0o777) === 0o700;
    if (folder.uid !== uid && folder.uid !== 0) return false;
    if ((folder.mode & STICKY) !== 0) return true;
    if ((folder.mode & OTHER_WRITE) !== 0) return false;
    return (folder.mode & GROUP_WRITE) === 0 || (folder.gid === uid && folder.uid === uid);
  });
}
