set output 'timeline.svg'
set terminal svg size 900,480 font 'sans,12' background '#ffffff'
set key outside bottom center horizontal
set grid
set y2tics
set ytics nomirror
set yrange [0:*]
set y2range [0:*]
set ylabel 'certificates/s'
set y2label 'jobs in the queue of the HSM'
set title 'Issuance and the queue of the HSM over time'
set xlabel 's'
set arrow from 0.000000, graph 0 to 0.000000, graph 1 nohead dt 3
set label 'warm-up' at 0.000000, graph 0.98 rotate by 90 right font ',9' noenhanced
set arrow from 54.040997, graph 0 to 54.040997, graph 1 nohead dt 3
set label 'one' at 54.040997, graph 0.98 rotate by 90 right font ',9' noenhanced
set arrow from 91.261037, graph 0 to 91.261037, graph 1 nohead dt 3
set label 'managed' at 91.261037, graph 0.98 rotate by 90 right font ',9' noenhanced
set arrow from 153.401088, graph 0 to 153.401088, graph 1 nohead dt 3
set label 'revoke' at 153.401088, graph 0.98 rotate by 90 right font ',9' noenhanced
set arrow from 157.594657, graph 0 to 157.594657, graph 1 nohead dt 3
set label 'revoke' at 157.594657, graph 0.98 rotate by 90 right font ',9' noenhanced
set arrow from 159.056286, graph 0 to 159.056286, graph 1 nohead dt 3
set label 'revoke' at 159.056286, graph 0.98 rotate by 90 right font ',9' noenhanced
set arrow from 388.802801, graph 0 to 388.802801, graph 1 nohead dt 3
set label 'unmanaged' at 388.802801, graph 0.98 rotate by 90 right font ',9' noenhanced
set arrow from 433.292277, graph 0 to 433.292277, graph 1 nohead dt 3
set label 'revoke' at 433.292277, graph 0.98 rotate by 90 right font ',9' noenhanced
set arrow from 448.335967, graph 0 to 448.335967, graph 1 nohead dt 3
set label 'revoke' at 448.335967, graph 0.98 rotate by 90 right font ',9' noenhanced
set arrow from 451.921922, graph 0 to 451.921922, graph 1 nohead dt 3
set label 'revoke' at 451.921922, graph 0.98 rotate by 90 right font ',9' noenhanced
plot 'timeline.tsv' using 1:2 with lines lw 2 title 'certificates/s', '' using 1:3 axes x1y2 with lines title 'queue' noenhanced
