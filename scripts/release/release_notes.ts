/**
 * What the change log says about one version: the text below its heading (`## 0.1.0 – 2026-12-01`), up to the next.
 *
 * @param changelog Text of CHANGELOG.md.
 * @throws {Error} when it has no such heading, or nothing below it.
 */
export function releaseNotes(changelog: string, version: string): string {
  const sections = changelog.replaceAll("\r\n", "\n").split(/^(?=## )/m);
  const section = sections.find((text) => headingOf(text) === version);
  if (section === undefined) throw new Error(`CHANGELOG.md has no section \`## ${version}\`: write one.`);
  const notes = section.slice(section.indexOf("\n") + 1).trim();
  if (notes === "" || !section.includes("\n")) {
    throw new Error(`the section \`## ${version}\` of CHANGELOG.md is empty: say what is new.`);
  }
  return `${notes}\n`;
}

function headingOf(section: string): string | undefined {
  return /^## \[?([^\]\s]+)\]?/.exec(section)?.[1];
}
