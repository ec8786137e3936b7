// SPDX-License-Identifier: Apache-2.0
// Enumerations as the words the store, the reports and the command line use.
#include "reports/records/run.h"
#include "reports/records/verdict.h"

namespace reports {

const char* name(Mode mode) {
    switch (mode) {
        case Mode::timed:
            return "timed";
        case Mode::profiled:
            return "profiled";
        case Mode::counters:
            return "counters";
    }
    return "";
}

const char* name(Direction direction) {
    switch (direction) {
        case Direction::lower:
            return "lower";
        case Direction::higher:
            return "higher";
        case Direction::exact:
            return "exact";
        case Direction::none:
            return "none";
    }
    return "";
}

const char* name(Verdict verdict) {
    switch (verdict) {
        case Verdict::improved:
            return "improved";
        case Verdict::same:
            return "same";
        case Verdict::regressed:
            return "regressed";
        case Verdict::inconclusive:
            return "inconclusive";
        case Verdict::invalid:
            return "invalid";
    }
    return "";
}

const char* name(Match match) {
    switch (match) {
        case Match::matched:
            return "matched";
        case Match::renamed:
            return "renamed";
        case Match::split:
            return "split";
        case Match::fused:
            return "fused";
        case Match::added:
            return "new";
        case Match::gone:
            return "gone";
    }
    return "";
}

std::optional<Mode> mode_from(std::string_view text) {
    for (const Mode mode : {Mode::timed, Mode::profiled, Mode::counters}) {
        if (text == name(mode)) return mode;
    }
    return std::nullopt;
}

std::optional<Direction> direction_from(std::string_view text) {
    for (const Direction direction :
         {Direction::lower, Direction::higher, Direction::exact, Direction::none}) {
        if (text == name(direction)) return direction;
    }
    return std::nullopt;
}

}  // namespace reports
