/** One cluster as a client meets it. */
export interface KubeconfigEntry {
  /** Name of context, cluster and user alike. */
  readonly context: string;
  readonly url: string;
  readonly token: string;
}

/** The YAML text of a kubeconfig; the first entry is the current context. Every value is a JSON string, hence YAML. */
export function kubeconfigText(entries: readonly KubeconfigEntry[], caCertificate: string): string {
  const ca = Buffer.from(caCertificate).toString('base64');
  const quote = (text: string): string => JSON.stringify(text);
  const lines = [
    'apiVersion: v1',
    'kind: Config',
    `current-context: ${quote(entries[0]?.context ?? '')}`,
    'clusters:',
    ...entries.flatMap(({ context, url }) => [
      `  - name: ${quote(context)}`,
      '    cluster:',
      `      server: ${quote(url)}`,
      `      certificate-authority-data: ${ca}`,
    ]),
    'users:',
    ...entries.flatMap(({ context, token }) => [
      `  - name: ${quote(context)}`,
      '    user:',
      `      token: ${quote(token)}`,
    ]),
    'contexts:',
    ...entries.flatMap(({ context }) => [
      `  - name: ${quote(context)}`,
      '    context:',
      `      cluster: ${quote(context)}`,
      `      user: ${quote(context)}`,
      '      namespace: default',
    ]),
  ];
  return `${lines.join('\n')}\n`;
}
