// What each check measures, in which unit, and on which side of the threshold it passes. The console's own wording for
// the values that a judgement stores (src/evaluation/liveness).

export interface CueMeasure {
  readonly measures: string;
  /** Shown after the value; empty if there is none. */
  readonly unit: string;
  readonly passes: 'at least' | 'at most';
}

const least = (measures: string, unit = ''): CueMeasure => ({ measures, unit, passes: 'at least' });
const most = (measures: string, unit = ''): CueMeasure => ({ measures, unit, passes: 'at most' });

/** Keyed by the check's stable name. */
export const CUE_MEASURES: Readonly<Record<string, CueMeasure>> = {
  face_present: least('frames with a face, as a share'),
  one_face: most('frames with a second face, as a share'),
  face_size: least('distance between the eyes, median', 'px'),
  frontal: least('moments in which the face looks ahead'),
  brightness: least('light of the inner face, 0–255'),
  light: least('light of the inner face, 0–255'),
  burnt_out: most('burnt-out pixels of the inner face, as a share'),
  sharpness: least('fine detail relative to the contrast'),
  mouth_visible: most('colour of the lower face against the forehead’s'),
  same_person: least('likeness of the portraits to each other, cosine'),
  same_person_throughout: least('likeness of the frames to the portraits, third lowest cosine'),
  hard_cut: most('jump of picture and face, in multiples of the frames around it', '×'),
  cross_fade: least('bend of the straightest change between two pictures (a fade is straight)'),
  cut_at_prompts: most('jump of picture and face at most prompts, in multiples of the frames around it', '×'),
  detail_at_prompts: least('detail of the poorest frames at most prompts, as a share of those around them'),
  face_in_view: most('longest time without a face that can be recognised', 'ms'),
  picture_kept: least('detail of the poorest frame, as a share of those around it'),
  picture_alive: most('longest standstill of the picture', 'ms'),
  coverage: least('length of the video', 'ms'),
  foresight: most('answers that began before their prompt was shown'),
  neutral_kept: most('rest steps that were not kept'),
  contrary: most('steps answered by the opposite movement'),
  neutral: least('rest steps that were kept, as a share'),
  smile: least('requested smiles that were seen, as a share'),
  turn: least('requested turns that were seen, as a share'),
  path: most('share of random paths that the head follows as well'),
  path_person: least('frames of the person along the path'),
  earlier_upload: most('frames known from an earlier video, as a share'),
  elapsed: most('time by which the video outlasts its script', 'ms'),
  announced: most('time from a picture to the announcement of its bytes', 'ms'),
  prompt_known: least('time for which each prompt was known before it was shown', 'ms'),
  prompt_lead: most('time for which a prompt was known before it was shown', 'ms'),
  prompt_lead_required: most('time for which a prompt was known before it was shown', 'ms'),
  loop: least('smallest difference between two segments of one second'),
  pad_pack: least('probability of a live face by the PAD network, 0–1'),
  freeze: most('frames that repeat the one before, as a share'),
  parallax: least('depth seen in the turn (a flat picture has little)'),
  rigid: least('changes of the face’s own shape, relative to those of a photograph'),
  blink: least('deepest short closing of the eyelids, as a share of the usual opening'),
  container: most('the file names a tool as its writer (1) or none (0)'),
  cut: most('largest step of the face over the largest beside it', '×'),
  surround: most('movement of the face that its surroundings share, as a share'),
  timestamps: least('intervals between frames that are not even, as a share'),
  screen_light: most('share of random codes that fit the light as well'),
  screen_light_required: most('share of random codes that fit the light as well'),
};
