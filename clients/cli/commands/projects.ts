import { EXIT } from '../../gate/problems/exitCodes.ts';
import { connect, type Handler } from '../context.ts';
import { fields, print, printOne } from '../output/print.ts';
import { Problem } from '../problem.ts';

/** The projects that the credential may use. */
export const projects: Handler = async (context, words) => {
  if (words.length > 0)
    throw new Problem('projects takes no arguments.', 'Make a project: evalgate projects create <name>');
  const { gate } = connect(context);
  const listed = [];
  for await (const project of gate.projects.list({}, { signal: context.io.signal })) listed.push(project);
  print(
    context,
    listed,
    ({ slug, name }) => fields(slug, name),
    'no projects: evalgate projects create <name>',
  );
  return EXIT.done;
};

/** Makes a project; without a slug the service makes one of the name. */
export const createProject: Handler<{ readonly slug?: string }> = async (context, [name = ''], { slug }) => {
  const { gate } = connect(context);
  const project = await gate.projects.create(
    { name, ...(slug !== undefined && { slug }) },
    { signal: context.io.signal },
  );
  printOne(context, project, () => fields(project.slug, project.name));
  return EXIT.done;
};
