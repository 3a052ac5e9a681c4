/**
 * The text with nothing in it of which VS Code would make a link, otherwise unchanged. Notifications and the complaints
 * of input boxes turn `[words](command:…)` into a link that runs the command when it is clicked, and know no way to mark
 * text as plain; what they say here quotes manifests, settings, clusters and programs, none of which may offer one.
 */
export function withoutLinks(text: string): string {
  return text.replaceAll(/\](?=\((?:https?:\/\/|command:|file:))/gi, '] ');
}
