// SPDX-License-Identifier: Apache-2.0
// Enumerations as the words the store, the reports and the command line use.
#include "reports/records/run.h"

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
