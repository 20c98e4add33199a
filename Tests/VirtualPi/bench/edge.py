# SPDX-FileCopyrightText: 2026 The shutterd authors
# SPDX-License-Identifier: Apache-2.0
#
# edge.py BUTTON LED: the same with gpiozero, as its own documentation does it.
import sys
from signal import pause

from gpiozero import LED, Button

button = Button(int(sys.argv[1]))
led = LED(int(sys.argv[2]))
button.when_pressed = led.on
button.when_released = led.off
print("ready", flush=True)
pause()
