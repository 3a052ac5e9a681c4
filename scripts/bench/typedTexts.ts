import { newestMinor } from '../../src/admission/index.ts';
import { type ChosenSettings, plainValueOf, readYaml } from '../../src/manifest/index.ts';
import { jobText, severalJobs } from './manifests.ts';

/** The texts in which the benchmark of typing types; `parallelism` is where. */
export const typedTexts: Readonly<Record<string, (parallelism: string) => string>> = {
  '200 documents': (parallelism) => severalJobs(200, parallelism),
  '200 documents with two problems each': (parallelism) =>
    severalJobs(200, parallelism).replaceAll('backoffLimit: 3', 'backofLimit: 3').replaceAll('Never', 'Always'),
  'one Job of 2,000 lines': (parallelism) => jobText('render', parallelism, 125),
  'a List of 100 Jobs': listOfJobs,
  'a List of 100 Jobs with aliases': (parallelism) => {
    const [first, ...others] = listOfJobs(parallelism).split('labels:\n      app: render\n');
    return `${first}labels: &labels\n      app: render\n${others.join('labels: *labels\n')}`;
  },
  'a List of 100 Jobs that only a full parser reads': (parallelism) =>
    listOfJobs(parallelism).replace('app: render', 'app: !!str render'),
  'a List of 100 Jobs as JSON': (parallelism) => {
    const { root } = readYaml(listOfJobs(parallelism));
    return root === undefined ? '' : JSON.stringify(plainValueOf(root), undefined, 2);
  },
};

function listOfJobs(parallelism: string): string {
  const item = (index: number): string =>
    `- ${jobText(`render-${index}`, index === 50 ? parallelism : '4').replace(/\n(?=.)/g, '\n  ')}`;
  return `apiVersion: v1\nkind: List\nitems:\n${Array.from({ length: 100 }, (_, index) => item(index)).join('')}`;
}

export const typingSettings: ChosenSettings = {
  version: newestMinor,
  clusterVersion: undefined,
  controllerName: 'delegated-jobs.dev/reconciler',
  knownControllers: [],
  isPartial: false,
};
