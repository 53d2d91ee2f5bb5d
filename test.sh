#!/usr/bin/env bash
# Builds and tests everything: release, address and undefined behaviour sanitizer, thread sanitizer, every scene.
#   ./test.sh          forty minutes on two cores, from a clean clone (twenty of them compile): every test once, where it
#                      finds most; recently changed files alone, by g++ and clang, as far as 30 s reach each
#   ./test.sh --full   also the long runs: every test in the release build, on 1, 2, 3 and 8 threads where
#                      the others compare 1 and 3, numbers in float under the address sanitizer, threads under both,
#                      all files by clang, for aarch64 too, every scene for a second, random files for a minute each,
#                      half an hour of random sessions, 6 s of wild dragging in each scene of cloth that touches itself,
#                      a minute of what comes to rest, of cloth in the drum and of fluids that are held, fluids under
#                      random settings, exports as other programs read them, mutants of the engine that the tests have to
#                      notice
#   ./test.sh --full 'mutants|release'   only stages whose name this regular expression matches
# Ends with the twenty slowest tests and the line "N passed, N failed" over all stages; exit status 1 if anything failed.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")" || exit 1
source .ci/packages.sh

full=false
case ${1:-} in
  --full) full=true ;;
  "") ;;
  *) echo "usage: ./test.sh [--full [STAGES]]" >&2; exit 2 ;;
esac
chosen=${2:-.}

passed=0 failed=0 failures=()
log=$(mktemp) times=$(mktemp)
trap 'rm -f "$log" "$times"' EXIT

# stage NAME COMMAND...: runs it and adds what it says it passed and failed; one test if it says nothing.
stage() {
  local name=$1 started=$SECONDS status good=0 bad=0
  shift
  [[ $name =~ $chosen ]] || return 0
  printf '\n== %s\n' "$name"
  "$@" 2>&1 | tee "$log"
  status=${PIPESTATUS[0]}
  if [[ $(grep 'failed out of ' "$log" | tail -n 1) =~ ([0-9]+)%\ tests\ passed,\ ([0-9]+)\ tests?\ failed\ out\ of\ ([0-9]+) ]]; then
    bad=${BASH_REMATCH[2]} good=$((BASH_REMATCH[3] - BASH_REMATCH[2]))
  elif [[ $(tail -n 1 "$log") =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed$ ]]; then
    good=${BASH_REMATCH[1]} bad=${BASH_REMATCH[2]}
  elif ((status == 0)); then
    good=1
  fi
  ((status != 0 && bad == 0)) && bad=1
  # ctest: "  3/157 Test #226: scene.water_balloon ....   Passed    1.36 sec"
  sed -nE "s/^ *[0-9]+\/[0-9]+ Test +#[0-9]+: ([^ ]+) .* ([0-9.]+) sec$/\2 \1 ($name)/p" "$log" >>"$times"
  ((passed += good, failed += bad))
  ((bad == 0)) || failures+=("$name" "$(grep -E '^FAIL |: Failure$|\(Failed\)$|\(Timeout\)$' "$log" | sed 's/^/  /' | head -n 40)")
  printf -- '-- %s: %d passed, %d failed, %d s\n' "$name" "$good" "$bad" $((SECONDS - started))
  return "$status"
}

configure_and_build() {
  local preset=$1 frames=2 substeps=2  # of each scene
  $full && frames=10 substeps=10
  $full && [[ $preset == release ]] && frames=60 substeps=100
  shift
  cmake --preset "$preset" -DLIMBER_TESTS=ON -DLIMBER_RANDOM_SECONDS="$($full && echo 60 || echo 2)" \
    -DLIMBER_SESSION_SECONDS="$([[ $preset == asan ]] && echo 6 || echo 4)" \
    -DLIMBER_SCENE_FRAMES="$frames" -DLIMBER_SCENE_SUBSTEPS="$substeps" \
    -DLIMBER_SANITIZE_LINES=OFF >"build/$preset.log" 2>&1 ||
    { cat "build/$preset.log"; return 1; }
  cmake --build --preset "$preset" --target "$@"
}

# Compiling takes most of the time, so what is tested where it finds most is built there only: numbers and the program
# as shipped, what reads, edits and is played with under the address sanitizer, what runs in parallel under the thread
# sanitizer too.
release_targets=(limber limber_verification_f32 limber_verification_f64 limber_app_tests limber_wild_drags)
address_targets=(limber_monkey limber_reader_fuzz limber_scene_run limber_unit_tests limber_thread_tests)
thread_targets=(limber_thread_tests limber_scene_run)
mutant_targets=(limber limber_verification_f32 limber_verification_f64 limber_unit_tests limber_thread_tests)
# A tenth of the sanitizers' time is spent on line numbers: cmake --preset asan has them, for when something is found.
# Long runs that only repeat what shorter tests execute; slopes, loads and threads are run in float, momenta in double.
long_runs='f64.*(AMinute|TheLighterFluid)|FiveSeconds|ComesToRest|f64.SurfaceContacts.(NothingCrosses|AHeldVertex)|f64.*/(ContactLaw|Creep|Loads|DropOn|HeavyDropOn|DropMeets.IsTheSame)|f32.(.*/FreePairs|.*/DropMeets.Keeps|FluidMotion.ATurning)|Creep.*ClothOnSheet|Loads.*ClothOnCloth'
long_runs+='|MethodEnergy.NeverRises/(newton|fast_projection)_(bdf2_)?StiffSkin'
long_runs+='|drags.(knot|folded|tear_cube)|long.barrel|f32.RodGrips.A|f32.*FarSurface|f64.*Touches|f64.*(Threads|SameBits|ProvenUses)'
# Numbers that take many seconds, and are compared in double. (An expression of CMake has at most nine groups; with
# more it matches nothing, without a word.)
for name in '.*AHeldBall' KeepSpin.OfASack Projective SoftBodies.Youngs SoftBodies.ABent SoftBodies.Contract \
  JointNet.NeverGains ShapeMatching.ASolidOnAPin RoundBodies.Sink NeoHookeanSolid.ComesBack RodContacts.AKnot Seams; do
  long_runs+="|f32.$name"
done
sanitized_long_runs='AMinute|ALiveSetting|FiveSeconds|SubstepsStretch|AHeldVertex|SameBits|AllocationTest|RenderTest'
parallel='^scene\.|Thread|^thread\.(Team|Pool|Grab|SetValue|SolidSimulation)'
if $full; then
  release_targets=(all) repeated_runs=$long_runs long_runs='^$'
  parallel='^(scene|thread)\.|^f32\..*(Thread|SameBits|ManyHitAlike)'
  address_targets+=(limber_app_tests limber_verification_f32)
  thread_targets+=(limber_verification_f32)
  # Under a sanitizer everything takes ten times as long, and these repeat what shorter tests execute.
  # Tests of numbers compare threads in tests of that name; the others would find no race on one thread.
  sanitized_long_runs="$repeated_runs|AMinute|FiveSeconds|AllocationTest|RenderTest"
fi
not_built=NOT_BUILT  # what ctest calls the tests of a program that a build left out
release_tests() {  # one more than there are cores: the window's waits
  env $($full && echo LIMBER_EVERY_CASE=1) ctest --test-dir build/release --output-on-failure \
    -j "$(($(nproc) + 1))" -E "$not_built|$long_runs$($full || echo '|^(random|scene)')"
}
sanitized_tests() { ctest --test-dir "build/$1" --output-on-failure -j "$(nproc)" -E "$not_built|$3" -R "$2"; }

# sessions_for SECONDS: random sessions under the address sanitizer, in pieces, so that memory is compared often.
sessions_for() {
  local piece good=0 bad=0
  for ((piece = 1; piece <= $1 / 300; ++piece)); do
    if build/asan/tests/robustness/limber_monkey 300 --from "$((1000000 * piece))"; then ((++good)); else ((++bad)); fi
  done
  echo "$good passed, $bad failed"
  ((bad == 0))
}

# What a unity build hides: files that lack an include. Generated headers are built first.
compile_alone() {
  cmake --preset develop -B build/alone -DLIMBER_TESTS=ON -DCMAKE_EXPORT_COMPILE_COMMANDS=ON >build/alone.log 2>&1 &&
    cmake --build build/alone --target limber_glad >>build/alone.log 2>&1 || { cat build/alone.log; return 1; }
  .ci/alone.py build/alone/compile_commands.json $($full || echo --commits 50 --seconds 30)
}

# read_by_clang [OPTION]: the same files, after compile_alone.
read_by_clang() {
  .ci/alone.py build/alone/compile_commands.json --compiler "clang++ -Wno-unknown-warning-option $*" \
    $($full || echo --commits 50 --seconds 30)
}

mkdir -p build
command -v ccache >/dev/null && export CMAKE_CXX_COMPILER_LAUNCHER=ccache CCACHE_SLOPPINESS=pch_defines,time_macros
export ASAN_OPTIONS=detect_leaks=1 UBSAN_OPTIONS=print_stacktrace=1 TSAN_OPTIONS=halt_on_error=1

$full && packages_to_test+=(libstdc++-12-dev-arm64-cross libc6-dev-arm64-cross python3-numpy python3-vtk9)
stage "packages" install_packages "${packages_to_build[@]}" "${packages_to_run[@]}" "${packages_to_test[@]}"

stage "each file alone" compile_alone && stage "each file by clang" read_by_clang
$full && stage "each file by clang for aarch64" read_by_clang --target=aarch64-linux-gnu

if stage "release build" configure_and_build release "${release_targets[@]}"; then
  stage "release tests" release_tests
  stage "scenes" build/release/limber check --all
  $full && stage "wild drags" build/release/tests/robustness/limber_wild_drags scenes 6
  $full && stage "rest" tests/robustness/rest_test.py build/release/limber
  $full && stage "long scenes" tests/robustness/long_scenes_test.py build/release/limber --full
  $full && stage "fluids at rest" tests/robustness/fluid_rest_test.py build/release/limber
  $full && stage "exports" tests/robustness/export_test.py build/release/limber build
  $full && stage "settings of fluids" tests/robustness/fluid_settings_test.py build/release/limber 40
fi
if $full && stage "mutants build" configure_and_build mutants "${mutant_targets[@]}"; then
  stage "mutants" tests/mutants/run build/mutants
fi
if stage "address sanitizer build" configure_and_build asan "${address_targets[@]}"; then
  stage "address sanitizer tests" sanitized_tests asan '^(unit|thread|app|random|scene|f32|f64)\.' "$sanitized_long_runs"
  # The OpenGL driver keeps memory of its own until the end, from a library that is gone by then.
  $full && ASAN_OPTIONS=detect_leaks=0 stage "address sanitizer pictures" sanitized_tests asan RenderTest '^$'
  $full && stage "address sanitizer sessions" sessions_for 1800
fi
if stage "thread sanitizer build" configure_and_build tsan "${thread_targets[@]}"; then
  stage "thread sanitizer tests" sanitized_tests tsan "$parallel" 'AMinute|FiveSeconds|AHeldVertex'
fi

printf '\n== slowest tests, s\n'
sort -rn "$times" | head -n 20
printf '\n'
((${#failures[@]} == 0)) || printf 'failed: %s\n%s\n' "${failures[@]}"
echo "$passed passed, $failed failed"
((failed == 0))
