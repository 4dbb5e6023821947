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
  face_present: least('share of frames with a face'),
  one_face: most('share of frames with a second face'),
  face_size: least('median distance between the eyes', 'px'),
  frontal: least('number of moments in which the face looks ahead'),
  brightness: least('brightness of the inner face, 0–255'),
  light: least(
    'brightness and contrast of the face, and brightness beside what is around it, in multiples of what is needed',
  ),
  burnt_out: most('share of burnt-out pixels in the inner face'),
  colour: least('difference between the colour channels of the face, 0–255'),
  sharpness: least('fine detail relative to contrast'),
  mouth_visible: most('colour difference between the lower face and the forehead'),
  same_person: least('similarity of the portraits to each other, cosine'),
  same_person_throughout: least('similarity of the frames to the portraits, third lowest cosine'),
  hard_cut: most('jump of picture and face, relative to the frames around it', '×'),
  cross_fade: least('curvature of the straightest change between two pictures (a fade is straight)'),
  cut_at_prompts: most('jump of picture and face at most prompts, relative to the frames around it', '×'),
  detail_at_prompts: least('detail of the poorest frames at most prompts, relative to those around them'),
  face_in_view: most('longest time without a recognisable face', 'ms'),
  picture_kept: least('detail of the poorest frame, relative to those around it'),
  picture_alive: most('longest time for which the picture stood still', 'ms'),
  coverage: least('length of the video', 'ms'),
  foresight: most('number of answers that began before their prompt was shown'),
  neutral_kept: most('number of rest steps that were not kept'),
  contrary: most('number of steps answered with the opposite movement'),
  neutral: least('share of rest steps that were kept'),
  smile: least('share of requested smiles that were seen'),
  target: least('share of targets to which the head was turned and held'),
  target_chance: most('share of fresh targets that this film would have answered as well'),
  earlier_upload: most('share of frames known from an earlier video'),
  elapsed: most('time by which the video outlasts its script', 'ms'),
  announced: most('time from a picture to the announcement of its bytes', 'ms'),
  prompt_known: least('time for which each prompt was known before it was shown', 'ms'),
  prompt_lead: most('time for which a prompt was known before it was shown', 'ms'),
  prompt_lead_required: most('time for which a prompt was known before it was shown', 'ms'),
  loop: least('smallest difference between two segments of one second'),
  pad_pack: least('probability of a live face according to the PAD network, 0–1'),
  freeze: most('share of frames that repeat the previous one'),
  rigid: least('changes of the face’s own shape, relative to those of a photograph'),
};
